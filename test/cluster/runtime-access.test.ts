import { expect } from '@jest/globals';
import fc from 'fast-check';
import {
  canBeNamed,
  permits,
  rolesOf,
  type AccessRequest,
  type AccessRule,
  type Verb,
} from '../../kube/access.ts';
import { sharedCluster, newNamespace, uniqueName } from '../testing/controlplane/shared.ts';
import { until } from '../../testing/controlplane/until.ts';

const given = await sharedCluster();
const { test } = given;

const rbac = 'rbac.authorization.k8s.io';
const groups = ['', 'apps'];
const resources = ['configmaps', 'configmaps/status', 'deployments'];
const verbs: readonly Verb[] = ['get', 'list', 'create', 'deletecollection'];
const names = ['a', 'b'];

const some = <T>(of: readonly T[]) => fc.subarray([...of], { minLength: 1 });
const held = ({ verbs, resource, resourceNames }: AccessRule): boolean =>
  !resourceNames || verbs.every((verb) => canBeNamed(verb, resource));

/** Rules, with namespaces by their number. */
const rulesIn = (namespaces: readonly string[]): fc.Arbitrary<AccessRule[]> =>
  fc.array(
    fc
      .record(
        {
          group: fc.constantFrom(...groups),
          resource: fc.constantFrom(...resources),
          verbs: some(verbs),
          resourceNames: some(names),
          namespaces: some(namespaces),
        },
        { requiredKeys: ['group', 'resource', 'verbs'] },
      )
      .filter(held),
    { minLength: 3, maxLength: 6 },
  );

/** Makes the roles of the rules, and binds them to somebody new. */
async function staffed(rules: readonly AccessRule[]): Promise<string> {
  const user = uniqueName('controller');
  const { cluster, namespaces } = rolesOf(rules);
  const places = [[undefined, cluster] as const, ...namespaces];
  for (const [namespace, rules] of places) {
    const metadata = { name: user, ...(namespace !== undefined && { namespace }) };
    const prefix = namespace === undefined ? 'Cluster' : '';
    const role = { apiVersion: `${rbac}/v1`, kind: `${prefix}Role`, metadata, rules };
    const binding = {
      apiVersion: `${rbac}/v1`,
      kind: `${prefix}RoleBinding`,
      metadata,
      roleRef: { apiGroup: rbac, kind: `${prefix}Role`, name: user },
      subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
    };
    for (const object of [role, binding]) {
      const { status, body } = await given.cluster.admin.create(object);
      if (status !== 201) throw new Error(body.message);
    }
  }
  return user;
}

async function isAllowed(user: string, request: AccessRequest): Promise<boolean> {
  const [resource, subresource] = request.resource.split('/');
  const resourceAttributes = { ...request, resource, subresource };
  const { body } = await given.cluster.admin.create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: { user, resourceAttributes },
  });
  return (body.status as { allowed: boolean }).allowed;
}

test('a cluster with the roles allows what the client would send, and nothing else', async () => {
  const namespaces = [
    await newNamespace(given.cluster, 'm'),
    await newNamespace(given.cluster, 'n'),
  ];
  const all = groups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        [undefined, 'a', 'c'].flatMap((name) =>
          [undefined, ...namespaces].map((namespace) => ({
            group,
            resource,
            verb,
            name,
            namespace,
          })),
        ),
      ),
    ),
  );
  for (const rules of fc.sample(rulesIn(namespaces), { numRuns: 4, seed: 42 })) {
    const user = await staffed(rules);
    // Authorizers learn of roles by a watch of their own.
    const expected = all.map((request) => permits(rules, request));
    expect(new Set(expected).size).toBe(2);
    await until('the cluster decides as the client', 20, async () => {
      const decided = await Promise.all(all.map((request) => isAllowed(user, request)));
      expect(decided).toEqual(expected);
      return true;
    });
  }
});
