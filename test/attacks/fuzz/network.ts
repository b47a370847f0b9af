import fc from 'fast-check';
import { anyNamespace, at, labels, someOf } from './attack.ts';
import * as dictionary from './dictionary.ts';
import { policy, selector } from './policy.ts';

const block = fc.uniqueArray(fc.constantFrom(...dictionary.cidrs), { minLength: 1, maxLength: 4 });
const peerRule = fc
  .record(
    {
      namespaces: someOf(anyNamespace),
      namespaceLabels: fc.oneof(
        labels,
        selector.map(({ matchLabels }) => matchLabels ?? { a: 'b' }),
      ),
      podLabels: fc.constant({ app: 'x' }),
      pods: fc.constant({ app: 'y' }),
      cidrs: block,
      except: block,
    },
    { requiredKeys: [] },
  )
  .map((one) => [{ name: 'hole', ...one }]);
/** Every second block of a size, so that no two of them are adjacent. */
const comb = fc
  .constantFrom(1, 2, 8, 60)
  .map((count) => [
    { name: 'comb', cidrs: Array.from({ length: count }, (_, i) => `${i * 2 + 1}.0.0.0/8`) },
  ]);
/** Allowed network connections. */
export const network = fc.oneof(
  { weight: 3, arbitrary: at('spec.network.allowFrom', peerRule) },
  {
    weight: 3,
    arbitrary: at(
      'spec.network',
      peerRule.map((allowTo) => ({ egress: 'SameNamespace', allowTo })),
    ),
  },
  {
    weight: 5,
    arbitrary: at(
      'spec.network.policies',
      policy.map((one) => [one]),
    ),
  },
  { weight: 2, arbitrary: at('spec.network.allowFrom', comb) },
  {
    weight: 2,
    arbitrary: at(
      'spec.network',
      comb.map((allowTo) => ({ egress: 'SameNamespace', allowTo })),
    ),
  },
  at('spec.network.isolation', fc.constantFrom('Open', 'SameTenant', 'SameNamespace', 'Closed')),
  at('spec.network.egress', fc.constantFrom('Open', 'SameTenant', 'SameNamespace', 'Closed')),
  at(
    'spec.network.policyNames',
    fc.constantFrom(
      { isolation: 'allow-monitoring' },
      { egress: 'tenant-isolation' },
      { isolation: 'hole' },
    ),
  ),
  at('spec.network.preset', fc.constant('none')),
);
