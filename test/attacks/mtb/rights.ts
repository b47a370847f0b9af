import { expect } from '@jest/globals';
import { mayDo } from '../../cluster/tenant.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import type { Check, Verdict } from './check.ts';

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const RBAC = 'rbac.authorization.k8s.io';

/** Reviews that every user may create for their own rights. */
const aboutHerself = new Set([
  'create selfsubjectaccessreviews.authorization.k8s.io',
  'create selfsubjectreviews.authentication.k8s.io',
  'create selfsubjectrulesreviews.authorization.k8s.io',
]);

/** Returns every resource of the API server in its preferred version: `deployments.apps`. */
async function resources({ admin }: ClusterAccess, namespaced: boolean): Promise<string[]> {
  const get = async (path: string) => (await admin.request({ method: 'GET', path })).body;
  const groups = (await get('/apis'))['groups'] as { preferredVersion: { groupVersion: string } }[];
  const versions = groups.map(({ preferredVersion }) => preferredVersion.groupVersion);
  const found: string[] = [];
  for (const version of ['v1', ...versions]) {
    const body = await get(version === 'v1' ? '/api/v1' : `/apis/${version}`);
    const group = version === 'v1' ? '' : `.${version.split('/')[0]}`;
    type Resource = { name: string; namespaced: boolean };
    // Resources of a group that was deleted with its test are not listed.
    for (const resource of (body['resources'] ?? []) as Resource[]) {
      const [plural, ...sub] = resource.name.split('/');
      if (resource.namespaced === namespaced) found.push([`${plural}${group}`, ...sub].join('/'));
    }
  }
  expect(found.length).toBeGreaterThan(30);
  return found;
}

/** Returns `patch deployments.apps` for every right of the user. */
async function allowed(by: Client, what: readonly string[], namespace?: string): Promise<string[]> {
  const asked = what.flatMap((resource) => verbs.map((verb) => [verb, resource] as const));
  const answers = await Promise.all(
    asked.map(async ([verb, resource]) =>
      (await mayDo(by, verb, resource, namespace)) ? [`${verb} ${resource}`] : [],
    ),
  );
  return answers.flat();
}

const passesUnless = (open: boolean): Verdict => (open ? 'open' : 'passes');

/** Returns whether the user can create, read, change and delete each of their own kinds. */
async function manages(by: Client, objects: readonly Body[]): Promise<Verdict> {
  const labels = { metadata: { labels: { edited: 'yes' } } };
  const outcomes = [];
  for (const object of objects) {
    outcomes.push((await by.create(object)).status === 201);
    outcomes.push((await by.get(toReference(object))).status === 200);
    outcomes.push((await by.patch(toReference(object), labels)).status === 200);
  }
  for (const object of objects.toReversed()) {
    outcomes.push((await by.delete(toReference(object))).status === 200);
  }
  return passesUnless(outcomes.includes(false));
}

/** Checks that RBAC and the guard enforce. */
export const rightsChecks: readonly Check[] = [
  {
    name: 'MTB-PL1-CC-CPI-1 Block access to cluster resources',
    async ask({ cluster, alice }) {
      const may = await allowed(alice, await resources(cluster, false));
      return passesUnless(may.some((one) => !aboutHerself.has(one)));
    },
  },
  {
    name: 'MTB-PL1-BC-CPI-2 Block Multitenant Resources',
    async ask({ tenant, alice }) {
      const edited = { metadata: { annotations: { edited: 'yes' } } };
      const replies = await Promise.all(
        tenant.objects.flatMap((object) => [
          alice.patch(toReference(object), edited, { dryRun: true }),
          alice.delete(toReference(object), { dryRun: true }),
        ]),
      );
      expect(replies.length).toBeGreaterThan(10);
      return passesUnless(replies.some(({ status }) => status !== 403));
    },
  },
  {
    name: 'MTB-PL1-CC-TI-1 Block modification of resource quotas',
    async ask({ alice, tenant }) {
      const quotas = ['resourcequotas', 'resourcequotas/status', 'limitranges'];
      const may = await allowed(alice, quotas, tenant.namespace);
      return passesUnless(may.some((one) => !/^(get|list|watch) /.test(one)));
    },
  },
  {
    name: 'MTB-PL1-CC-TI-2 Block access to other tenant resources',
    async ask({ cluster, alice, other }) {
      const may = await allowed(alice, await resources(cluster, true), other.namespace);
      const read = await Promise.all(other.objects.map((one) => alice.get(toReference(one))));
      return passesUnless(may.length > 0 || read.some(({ status }) => status !== 403));
    },
  },
  {
    name: 'MTB-PL2-CC-TI-1 Block role privilege escalation',
    async ask({ alice, tenant: { namespace } }) {
      const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' };
      const subjects = [{ apiGroup: RBAC, kind: 'User', name: 'alice' }];
      const rules = [{ apiGroups: [''], resources: ['resourcequotas'], verbs: ['delete'] }];
      const own = { apiVersion: `${RBAC}/v1`, metadata: { name: 'more', namespace } };
      const options = { dryRun: true };
      const replies = await Promise.all([
        alice.create({ ...own, kind: 'RoleBinding', roleRef, subjects }, options),
        alice.create({ ...own, kind: 'Role', rules }, options),
      ]);
      const asked = ['escalate', 'bind'].flatMap((verb) =>
        ['roles', 'clusterroles'].map((kind) => mayDo(alice, verb, `${kind}.${RBAC}`, namespace)),
      );
      const may = (await Promise.all(asked)).includes(true);
      return passesUnless(may || replies.some(({ status }) => status !== 403));
    },
  },
  {
    // As in the benchmark: the user's own Role, and a binding of it without subjects.
    name: 'MTB-PL2-BC-OPS-3 Create Role Bindings',
    ask({ alice, tenant: { namespace } }) {
      const own = { apiVersion: `${RBAC}/v1`, metadata: { name: 'own', namespace } };
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
      const roleRef = { apiGroup: RBAC, kind: 'Role', name: 'own' };
      return manages(alice, [
        { ...own, kind: 'Role', rules },
        { ...own, kind: 'RoleBinding', roleRef },
      ]);
    },
  },
  {
    name: 'MTB-PL2-BC-OPS-4 Create Network Policies',
    ask({ alice, tenant: { namespace } }) {
      const metadata = { name: 'own', namespace };
      const spec = { podSelector: { matchLabels: { app: 'own' } }, policyTypes: ['Ingress'] };
      const kind = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' };
      return manages(alice, [{ ...kind, metadata, spec }]);
    },
  },
];
