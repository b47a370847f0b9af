import { expect } from '@jest/globals';
import fc from 'fast-check';
import {
  computeGainedRights,
  type RightsDifference,
} from '@tenantry/olm/permissions/granted-rights';
import { Rights, type ObjectRight, type RightsRule } from '@tenantry/kube/rights/rights';
import { scopes, type RightsScope } from '@tenantry/kube/rights/groups';
import { bundleOf } from '@tenantry/olm/test/upgrade/pairs';
import { objectRequests, roleRules } from '@tenantry/kube/test/rights/arbitrary-rules';
import { sample } from '@tenantry/olm/test/rules/sample';
import { until } from '@tenantry/testing/waiting/until';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';

/*
 * Compares gained rights with the authorizer of a real API server. The rights of both sides are each bound to a user.
 * For every reported right, and for no other, there is a request that the new user may make and the old one may not.
 */
const given = await sharedCluster();
const { test } = given;

const GROUP = 'rbac.authorization.k8s.io';
const PAIRS = 16;
const REQUESTS = 12;

type Given = Readonly<Record<RightsScope, readonly RightsRule[]>>;
const rights: fc.Arbitrary<Given> = fc.record({
  everywhere: roleRules,
  watched: roleRules,
  own: roleRules,
});

const account = 'redis-operator';

function granting({ everywhere, watched, own }: Given) {
  const one = sample();
  const { spec } = one.csv.spec.install;
  spec.clusterPermissions = [{ serviceAccountName: account, rules: everywhere }];
  spec.permissions = [{ serviceAccountName: account, rules: watched }];
  const of = { apiVersion: `${GROUP}/v1`, metadata: { name: 'more' } };
  one.files['manifests/role.yaml'] = { ...of, kind: 'Role', rules: own };
  one.files['manifests/binding.yaml'] = {
    ...of,
    kind: 'RoleBinding',
    roleRef: { apiGroup: GROUP, kind: 'Role', name: 'more' },
    subjects: [{ kind: 'ServiceAccount', name: account }],
  };
  return bundleOf(one);
}

interface Places {
  readonly watched: string;
  readonly own: string;
}

/** Gives a user the rights that OLM gives the ServiceAccount, in a watched namespace and in the operator's own. */
async function grant(user: string, { everywhere, watched, own }: Given, places: Places) {
  const bound = async (kind: 'Role' | 'ClusterRole', rules: object, namespace?: string) => {
    const metadata = { name: user, ...(namespace !== undefined && { namespace }) };
    const of = { apiVersion: `${GROUP}/v1`, metadata };
    for (const object of [
      { ...of, kind, rules },
      {
        ...of,
        kind: `${kind}Binding`,
        roleRef: { apiGroup: GROUP, kind, name: user },
        subjects: [{ apiGroup: GROUP, kind: 'User', name: user }],
      },
    ]) {
      const { status, body } = await given.cluster.admin.create(object);
      if (status !== 201) throw new Error(body.message);
    }
  };
  // Once the marker right works, the authorizer knows the roles.
  const marker = { verbs: ['get'], apiGroups: ['marker.example.com'], resources: [user] };
  await bound('Role', [...watched, marker], places.watched);
  await bound('Role', [...own, ...watched, marker], places.own);
  await bound('ClusterRole', [...everywhere, { ...marker, resources: [`all-${user}`] }]);
}

async function may(user: string, right: ObjectRight, namespace?: string): Promise<boolean> {
  const { verb, group, name = '' } = right;
  const [resource, ...rest] = right.resource.split('/');
  const { status, body } = await given.cluster.admin.create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user,
      resourceAttributes: {
        verb,
        group,
        resource,
        name,
        subresource: rest.join('/'),
        ...(namespace !== undefined && { namespace }),
      },
    },
  });
  if (status !== 201) throw new Error(body.message);
  return (body.status as { allowed: boolean }).allowed;
}

/** Builds a request that only the whole right allows: names that no rule lists replace the wildcards. */
const whole = ({ verb, group, resource, name }: ObjectRight): ObjectRight => ({
  verb: verb === '*' ? 'unheard' : verb,
  group: group === '*' ? 'unheard.io' : group,
  resource: resource === '*' ? 'unheard/of' : resource.replace('*', 'unheard'),
  name: name ?? 'unheard',
});

const ruleOf = ({ verb, group, resource, name }: ObjectRight): RightsRule => ({
  verbs: [verb],
  apiGroups: [group],
  resources: [resource],
  ...(name !== undefined && { resourceNames: [name] }),
});

/** Returns whether a right in one scope also applies in another. */
const reaches = (held: RightsScope, asked: RightsScope): boolean =>
  scopes.indexOf(held) <= scopes.indexOf(asked);

test('a gained right is reported exactly when an API server confirms it', async () => {
  const seed = Number(process.env['FC_SEED'] ?? 20_260_101);
  const places = {
    watched: await newNamespace(given.cluster, 'rights'),
    own: await newNamespace(given.cluster, 'rights'),
  };
  const where = (scope: RightsScope) => (scope === 'everywhere' ? undefined : places[scope]);
  const pairs = fc.sample(fc.tuple(rights, rights), { seed, numRuns: PAIRS });
  const requests = fc.sample(objectRequests, { seed, numRuns: REQUESTS * PAIRS });
  const users = pairs.map(() => [uniqueName('old'), uniqueName('new')] as const);
  await Promise.all(
    pairs.flatMap(([old, now], i) => [
      grant(users[i]![0], old, places),
      grant(users[i]![1], now, places),
    ]),
  );
  const marker = (resource: string) => ({ verb: 'get', group: 'marker.example.com', resource });
  await until('the roles are known', async () => {
    const answers = users
      .flat()
      .flatMap((user) => [
        may(user, marker(user), places.watched),
        may(user, marker(user), places.own),
        may(user, marker(`all-${user}`)),
      ]);
    return (await Promise.all(answers)).every(Boolean);
  });
  let gains = 0;
  for (const [i, [old, now]] of pairs.entries()) {
    const [before, after] = users[i]!;
    const [gained]: (RightsDifference | undefined)[] = computeGainedRights(
      granting(old),
      granting(now),
    );
    const rightsOfIt = gained?.objects ?? [];
    gains += rightsOfIt.length;
    for (const { scope, ...right } of rightsOfIt) {
      const asked = whole(right);
      const answers = [
        await may(after, asked, where(scope)),
        await may(before, asked, where(scope)),
      ];
      expect([right, ...answers]).toEqual([right, true, false]);
    }
    for (const request of requests.slice(i * REQUESTS, (i + 1) * REQUESTS)) {
      for (const scope of ['everywhere', 'watched', 'own'] as const) {
        const isNew =
          (await may(after, request, where(scope))) && !(await may(before, request, where(scope)));
        const reportedRights = new Rights(
          rightsOfIt.filter((one) => reaches(one.scope, scope)).map(ruleOf),
        );
        if (isNew)
          expect([request, reportedRights.coversObject({ name: '', ...request })]).toEqual([
            request,
            true,
          ]);
      }
    }
  }
  expect(gains).toBeGreaterThan(PAIRS);
});
