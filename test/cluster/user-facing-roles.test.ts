import { expect } from '@jest/globals';
import fc from 'fast-check';
import { objectVerbs } from '@tenantry/kube/cluster-roles';
import { builtinResources } from '@tenantry/kube/builtin-kinds';
import type { PolicyRule } from '../../crds/access.ts';
import { userFacingRoles } from '@tenantry/kube/rbac/user-facing-roles';
import { collectFindings } from '../constructs/given.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import type { Client } from '@tenantry/testing/controlplane/client';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { servedBy, type Served } from './served.ts';
import { deliver, mayDo, person, reads } from './tenant.ts';
import { userFacingRoles as liveRoles } from './user-facing-roles.ts';

const given = await sharedCluster();
const { test } = given;

/** Returns whether a tenant of a class without settings for roles may write a Role with this rule. */
const accepts = (rule: PolicyRule): boolean =>
  collectFindings({ tenant: { access: { roles: [{ name: 'own', rules: [rule] }] } } }).length === 0;

/** Returns a user with Kubernetes' `admin` in a namespace of her own. */
async function admin(): Promise<{ readonly alice: Client; readonly namespace: string }> {
  const name = person('alice');
  const { namespace } = await deliver(given.cluster, uniqueName('roles'), {
    access: { admins: { users: [name] } },
  });
  const alice = given.cluster.user(name);
  await reads(alice, namespace);
  return { alice, namespace };
}

test('our table matches the rights of Kubernetes’ user-facing roles', async () => {
  expect(await liveRoles(given.cluster.admin)).toBe(userFacingRoles.trim());
});

test('every resource of a group of Kubernetes is known by its plural', async () => {
  const unknown = [...(await servedBy(given.cluster.admin))].flatMap(([group, resources]) =>
    [...resources]
      .map((resource) => resource.split('/')[0]!)
      .filter((plural) => builtinResources(group)?.has(plural) === false)
      .map((plural) => `${plural}.${group}`),
  );
  expect(unknown).toEqual([]);
});

const verbs = [...objectVerbs, 'bind', 'escalate', 'impersonate', 'use', 'approve', 'proxy'];

test('of all served resources, a tenant’s own role may grant exactly what its admin may do, except for impersonation', async () => {
  const { alice, namespace } = await admin();
  const served = await servedBy(given.cluster.admin);
  const asked = [...served].flatMap(([group, resources]) =>
    [...resources].flatMap((resource) => verbs.map((verb) => ({ group, resource, verb }))),
  );
  expect(asked.length).toBeGreaterThan(1500);
  const anybody = given.cluster.user(person('anybody'));
  const disagreed: string[] = [];
  for (const some of chunks(asked, 50)) {
    await Promise.all(
      some.map(async ({ group, resource, verb }) => {
        const [plural, ...rest] = resource.split('/');
        const what = [group ? `${plural}.${group}` : plural, ...rest].join('/');
        const ours = accepts({ apiGroups: [group], resources: [resource], verbs: [verb] });
        const theirs = await mayDo(alice, verb, what, namespace);
        if (ours !== theirs && !(theirs && (await mayDo(anybody, verb, what, namespace))))
          disagreed.push(`${ours ? 'we let' : 'we refuse'} ${verb} ${what}`);
      }),
    );
  }
  expect(disagreed).toEqual(['we refuse impersonate serviceaccounts']);
});

const some = (items: readonly string[], most: number) =>
  fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: most });

/** Generates rules as users write them: products of groups and resources, some of which do not exist. */
const anyRule = (served: Served): fc.Arbitrary<PolicyRule> => {
  const groups = [...served.keys(), 'extensions', 'example.com'];
  const ordinary = ['', 'apps', 'batch', 'networking.k8s.io', 'rbac.authorization.k8s.io'];
  return fc.oneof(some(groups, 2), some(ordinary, 3)).chain((apiGroups) =>
    fc.record(
      {
        apiGroups: fc.constant(apiGroups),
        resources: some(
          ['things', ...apiGroups.flatMap((group) => [...(served.get(group) ?? [])])],
          2,
        ),
        verbs: fc.oneof(some(['get', 'list', 'watch'], 3), some(verbs, 2)),
        resourceNames: fc.constantFrom(['one'], ['one', 'other']),
      },
      { requiredKeys: ['apiGroups', 'resources', 'verbs'] },
    ),
  );
};

test('the API server lets an admin of a tenant write every Role that validation accepts', async () => {
  const { alice, namespace } = await admin();
  const served = await servedBy(given.cluster.admin);
  const { seed, numRuns } = runs(1500);
  const accepted = fc.sample(anyRule(served), { seed, numRuns }).filter(accepts);
  expect(accepted.length).toBeGreaterThan(numRuns / 20);
  for (const few of chunks(accepted, 20)) {
    await Promise.all(
      few.map(async (rule) => {
        const role = {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: 'own', namespace },
          rules: servedOnly(rule, served),
        };
        const { status, body } = await alice.create(role, { dryRun: true });
        expect([rule, status, body.message]).toEqual([rule, 201, undefined]);
      }),
    );
  }
});

/**
 * Removes the parts of a product that nobody serves. The API server refuses them too, although they grant nothing.
 */
function servedOnly({ apiGroups, resources, ...rest }: PolicyRule, served: Served): PolicyRule[] {
  return apiGroups.flatMap((group) => {
    const plurals = new Set([...(served.get(group) ?? [])].map((one) => one.split('/')[0]));
    const there = resources.filter((resource) => plurals.has(resource.split('/')[0]));
    return there.length > 0 ? [{ apiGroups: [group], resources: there, ...rest }] : [];
  });
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) =>
    list.slice(i * size, (i + 1) * size),
  );
}
