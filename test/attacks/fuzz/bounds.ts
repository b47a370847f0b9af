import fc from 'fast-check';
import { at, either } from './attack.ts';
import * as dictionary from './dictionary.ts';

const quantities = fc.dictionary(either(dictionary.quotaKeys), either(dictionary.amounts), {
  minKeys: 1,
  maxKeys: 2,
  noNullPrototype: true,
});
/** Quotas, limits and Pod Security. */
export const bounds = fc.oneof(
  at('spec.quota.hard', quantities),
  at('spec.quota.total', quantities),
  at('spec.quota.preset', fc.constantFrom('none', 'small', 'large', 'constructor')),
  at(
    'spec.quota.scoped',
    quantities.map((hard) => [{ name: 'extra', hard, scopes: ['NotTerminating'] }]),
  ),
  at(
    'spec.quota.scoped',
    quantities.map((hard) => [{ name: 'tenant-quota', hard, scopes: ['Terminating'] }]),
  ),
  at('spec.quota.name', fc.constantFrom('tenant-quota', 'x', '..', 'a/b')),
  at(
    'spec.namespaces.0.quota',
    fc.record({ weight: fc.constantFrom(0, 1000), hard: quantities }, { requiredKeys: [] }),
  ),
  at(
    'spec.limits',
    fc
      .record(
        {
          type: fc.constantFrom('Container', 'Pod', 'PersistentVolumeClaim'),
          max: quantities,
          default: quantities,
          min: quantities,
          defaultRequest: quantities,
        },
        { requiredKeys: ['type'] },
      )
      .map((one) => ({ items: [one] })),
  ),
  at('spec.limits', fc.constant({ preset: 'none' })),
  at(
    'spec.podSecurity',
    fc.record(
      {
        enforce: fc.constantFrom('privileged', 'none', 'baseline', 'restricted'),
        audit: fc.constantFrom('none', 'privileged'),
        version: fc.constantFrom('latest', 'none', 'v1.0', 'v1.36', 'v1.999'),
      },
      { requiredKeys: [] },
    ),
  ),
);
