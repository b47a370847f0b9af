import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildOperatorInstallation } from '../../model/operator/operator-objects.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { findProtection } from '../../model/protected.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { ofTenant, writePolicy, writeRefusal } from './write-requests.ts';

/** Checks it with a quota that the operator creates in the namespace. */
function isProtected(spec: PlatformSpec, place: string): boolean {
  const object = { metadata: { name: 'q', ...ofTenant('pay') } };
  const refusal = writeRefusal(writePolicy(spec), { what: 'resourcequotas', place, object });
  return refusal?.includes('must not write in protected namespaces') === true;
}

const word = fc.constantFrom('kube-system', 'bank', 'bank-core', 'core', 'vault', 'a', 'aks-a');
const pattern = fc.oneof(
  word,
  word.map((one) => `${one}*`),
  word.map((one) => `*${one}`),
);
const name = fc.oneof(
  word,
  fc.tuple(word, word).map(([a, b]) => `${a}-${b}`),
  fc.constantFrom('default', 'argocd', 'tenantry-system', 'monitoring', 'my-system', 'istio-x'),
);

test('a namespace is protected from the operator exactly where it is protected from tenants', () => {
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(
      fc.array(pattern, { maxLength: 3 }),
      fc.uniqueArray(word, { maxLength: 2 }),
      fc.array(word, { maxLength: 2 }),
      name,
      (protectedNamespaces, releasedNamespaces, externalNamespaces, place) => {
        const spec = { protectedNamespaces, releasedNamespaces, externalNamespaces };
        let platform;
        try {
          platform = resolvePlatform(spec);
        } catch {
          return;
        }
        const expected = findProtection(platform, place) !== undefined;
        seen.add(expected);
        expect(isProtected(spec, place)).toBe(expected);
      },
    ),
    runs(300),
  );
  expect(seen.size).toBe(2);
});

test('a request is refused while the policy cannot be evaluated', () => {
  expect(writePolicy({}).failurePolicy).toBe('Fail');
});

test('under Create it changes only accounts that controllers create first, and deletes nothing', () => {
  const written = (policy: DriftPolicy) =>
    [...writePolicy({}, policy).validations[0]!.expression.matchAll(/"(\w+) ([\w./]+)"/g)].map(
      ([, operation, what]) => `${operation} ${what}`,
    );
  const create = written('Create');
  expect(create.filter((one) => !one.startsWith('CREATE'))).toEqual([
    'UPDATE tenants/status.tenantry.dev',
    // Only its own finalizers.
    'UPDATE tenants.tenantry.dev',
    'UPDATE events.events.k8s.io',
    'UPDATE leases.coordination.k8s.io',
    // Only the accounts in MADE_ACCOUNTS.
    'UPDATE serviceaccounts',
  ]);
  const more = written('Heal').filter((one) => !create.includes(one));
  expect(more.filter((one) => !one.startsWith('UPDATE'))).toEqual([
    'DELETE rolebindings.rbac.authorization.k8s.io',
    // The records of requested access, 90 days after its end.
    'DELETE accessrequests.tenantry.dev',
  ]);
});

test('with Observe there is no policy, and no right to write to tenants', () => {
  const ids = (driftPolicy: DriftPolicy) => {
    const platform = resolvePlatform({ operator: { driftPolicy } });
    return Object.keys(buildOperatorInstallation(platform, 'in-cluster', ['view']));
  };
  expect(ids('Observe').filter((id) => id.startsWith('write-policy'))).toEqual([]);
  for (const policy of ['Create', 'Heal'] as const) {
    const all = ids(policy);
    // The policy comes before the rights that it restricts.
    expect(all.indexOf('write-policy-binding')).toBeGreaterThan(0);
    expect(all.indexOf('write-policy-binding')).toBeLessThan(all.indexOf('cluster-role'));
  }
});
