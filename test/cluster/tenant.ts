import { expect } from '@jest/globals';
import { Testing } from 'cdk8s';
import { readPlatform } from '../../apps/platform-file.ts';
import { TenantGuard } from '../../constructs/tenant/guard.ts';
import type { TenantClassDeclaration } from '../../constructs/tenant/declaration.ts';
import { desired } from '../../constructs/tenant/desired.ts';
import { TENANT_LABEL } from '../../constructs/tenant/ownership.ts';
import { crdManifest } from '../../crds/definition.ts';
import { tenant as kind, type TenantSpec } from '../../crds/tenantry/tenant.ts';
import type { ClusterAccess } from '../control-plane/access.ts';
import type { Client } from '../control-plane/client.ts';
import { referenceTo, type Body, type Reply } from '../control-plane/objects.ts';
import { uniqueName } from '../control-plane/shared.ts';
import { until } from '../control-plane/until.ts';
import { root } from '../structure/tracked.ts';

const RBAC = 'rbac.authorization.k8s.io';

/**
 * The platform of this repository: the guard has one name on a cluster, so that every test that
 * applies one to the shared cluster has to apply the same.
 */
const { platform } = readPlatform(`${root}/tenantry.yaml`, true);

/** A tenant as it stands in a cluster. */
export interface LiveTenant {
  readonly name: string;
  /** The first of its namespaces. */
  readonly namespace: string;
  /** Everything that the platform put there. */
  readonly objects: readonly Body[];
}

/** The people and machines of a test; nobody else in the run has their names. */
export function person(name: string): string {
  return `${uniqueName(name)}@example.com`;
}

/** What is desired of a tenant; its namespaces have the names of `spec` after the tenant's. */
function declared(name: string, spec: TenantSpec, klass: TenantClassDeclaration['spec'] = {}) {
  const prefixed = { namespacePrefix: `${name}-`, namespaces: [{ name: 'shop' }], ...spec };
  const { namespaces, findings, tenant } = desired(
    { name, spec: { ...prefixed, clusters: [platform.clusters[0]!.name] } },
    { name: 'standard', spec: klass },
    platform,
  );
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const objects = namespaces.flatMap((one) => one.objects).map((one) => one as unknown as Body);
  const live: LiveTenant = { name, namespace: namespaces[0]!.name, objects };
  return { live, tenant: tenant as unknown as Body };
}

/** Brings a tenant to the cluster as the platform does, behind the guard; what it no longer declares goes. */
export async function deliver(
  cluster: ClusterAccess,
  name: string,
  spec: TenantSpec,
  { klass, before }: { klass?: TenantClassDeclaration['spec']; before?: LiveTenant } = {},
): Promise<LiveTenant> {
  await guarded(cluster);
  const { live, tenant } = declared(name, spec, klass);
  await apply(cluster, [tenant, ...live.objects]);
  const kept = new Set(live.objects.map(identity));
  for (const object of before?.objects ?? []) {
    if (!kept.has(identity(object))) await cluster.admin.delete(referenceTo(object));
  }
  return live;
}

const identity = (object: Body): string => JSON.stringify(referenceTo(object));

export async function apply(cluster: ClusterAccess, objects: readonly Body[]): Promise<void> {
  const options = { fieldManager: 'platform', force: true, fieldValidation: 'Strict' } as const;
  for (const object of objects) {
    const { status, body } = await cluster.admin.apply(object, options);
    if (status >= 300) throw new Error(`${identity(object)}: ${status} ${body.message}`);
  }
}

let guarding: Promise<void> | undefined;

/** The guard and our kind of tenants are there, and the guard is in force. */
function guarded(cluster: ClusterAccess): Promise<void> {
  guarding ??= startGuard(cluster);
  return guarding;
}

async function startGuard(cluster: ClusterAccess): Promise<void> {
  const chart = Testing.chart();
  new TenantGuard(chart, 'guard', { platform });
  await apply(cluster, [...(Testing.synth(chart) as Body[]), crdManifest(kind) as unknown as Body]);
  const mallory = await powerful(cluster, person('mallory'));
  const metadata = { name: uniqueName('probe'), labels: { [TENANT_LABEL]: 'probe' } };
  const probe = { apiVersion: 'v1', kind: 'Namespace', metadata };
  await until('the guard is in force', 30, async () =>
    isGuarded(await mallory.create(probe, { dryRun: true }), 'probe'),
  );
  const tenants = { apiVersion: kind.apiVersion, kind: kind.kind };
  await until('tenants are served', 30, async () => {
    return (await cluster.admin.list(tenants)).status === 200;
  });
  for (const name of ['admin', 'edit', 'view']) {
    const role = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', name };
    await until(`the role ${name} has its rules`, 60, async () => {
      return ((await cluster.admin.get(role)).body['rules'] as unknown[]).length > 5;
    });
  }
}

/** What Mallory may do on the whole cluster: enough for RBAC to stop her nowhere in these tests. */
const power = Object.entries({
  '': 'namespaces namespaces/status namespaces/finalize resourcequotas resourcequotas/status limitranges serviceaccounts configmaps',
  [RBAC]: 'roles rolebindings clusterroles',
  'networking.k8s.io': 'networkpolicies',
  policy: 'poddisruptionbudgets poddisruptionbudgets/status',
}).map(([group, resources]) => ({
  apiGroups: [group],
  resources: resources.split(' '),
  verbs: ['*'],
}));

/** Gives a user these rights everywhere, which are not those of an administrator. */
export function powerful(
  cluster: ClusterAccess,
  user: string,
  groups: readonly string[] = [],
): Promise<Client> {
  const metadata = { name: uniqueName('powerful') };
  const role = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata, rules: power };
  return bound(cluster, user, groups, role);
}

/** Binds a user on the whole cluster; returns when the API server knows. */
export async function bound(
  cluster: ClusterAccess,
  user: string,
  groups: readonly string[],
  role: Body,
): Promise<Client> {
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: role.metadata!.name! };
  const subjects = [{ apiGroup: RBAC, kind: 'User', name: user }];
  const metadata = { name: uniqueName('bound') };
  const binding = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', metadata };
  await apply(cluster, [...(role['rules'] ? [role] : []), { ...binding, roleRef, subjects }]);
  const client = cluster.user(user, { groups });
  await until(`${user} has the role`, 30, async () => {
    return (await client.list({ apiVersion: 'v1', kind: 'Namespace' })).status === 200;
  });
  return client;
}

/** Waits until RBAC lets a client read a namespace, or no longer does. */
export async function reads(client: Client, namespace: string, may = true): Promise<void> {
  const pods = { apiVersion: 'v1', kind: 'Pod', namespace };
  await until(`its access to ${namespace} is ${may}`, 30, async () => {
    return (await client.list(pods)).status === (may ? 200 : 403);
  });
}

/** Asks the API server: `patch deployments.apps/scale`, without a namespace in all of them. */
export async function mayDo(
  client: Client,
  verb: string,
  what: string,
  namespace?: string,
): Promise<boolean> {
  const [plural = '', subresource] = what.split('/');
  const [resource, ...group] = plural.split('.');
  const resourceAttributes = { verb, resource, subresource, group: group.join('.'), namespace };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' };
  const { body } = await client.create({ ...review, spec: { resourceAttributes } });
  return (body.status as { allowed: boolean }).allowed;
}

const words = (tenant: string): string => `this object belongs to the platform (tenant ${tenant})`;

/** Whether the guard refused, and nothing else. */
function isGuarded({ status, body }: Reply, tenant: string): boolean {
  return status === 403 && (body.message ?? '').includes(words(tenant));
}

export const refusalOf = (tenant: string) => ({
  status: 403,
  body: { reason: 'Forbidden', message: expect.stringContaining(words(tenant)) },
});

/** A tenant with one object of every kind, and those who are after it. */
export interface Attacked {
  readonly tenant: LiveTenant;
  /** Administrator of the tenant. */
  readonly alice: Client;
  /** Whom RBAC stops nowhere. */
  readonly mallory: Client;
  readonly names: { readonly alice: string; readonly mallory: string };
}

let standing: Promise<Attacked> | undefined;

/** One tenant for all attacks of a test file: none of them may leave a trace on it. */
export function attackedTenant(cluster: ClusterAccess): Promise<Attacked> {
  standing ??= makeAttackedTenant(cluster);
  return standing;
}

async function makeAttackedTenant(cluster: ClusterAccess): Promise<Attacked> {
  const names = { alice: person('alice'), mallory: person('mallory') };
  const rules = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] }];
  const settings = { name: 'settings', annotations: { 'example.com/owner': 'platform' } };
  const tenant = await deliver(cluster, uniqueName('attacked'), {
    access: {
      admins: { users: [names.alice] },
      roles: [{ name: 'deployer', rules, users: ['dan'] }],
    },
    serviceAccounts: [{ name: 'ci' }],
    network: { egress: 'SameTenant' },
    disruptionBudgets: [
      { name: 'shop', selector: { matchLabels: { app: 'shop' } }, minAvailable: 1 },
    ],
    resources: [{ manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: settings } }],
  });
  const alice = cluster.user(names.alice);
  await reads(alice, tenant.namespace);
  const status = async (kind: string) => {
    const object = tenant.objects.find((one) => one.kind === kind)!;
    return (await cluster.admin.get(referenceTo(object))).body.status as Record<string, unknown>;
  };
  await until('the controllers have said all they have to say', 30, async () => {
    const budget = (await status('PodDisruptionBudget'))['observedGeneration'];
    return (await status('ResourceQuota'))['used'] !== undefined && budget !== undefined;
  });
  return { tenant, alice, mallory: await powerful(cluster, names.mallory), names };
}

/** Everything of the tenant in the cluster, with the version of each. */
export function stateOf(cluster: ClusterAccess, { tenant }: Attacked): Promise<Body[]> {
  return Promise.all(
    tenant.objects.map(async (object) => (await cluster.admin.get(referenceTo(object))).body),
  );
}

export const withLabels = (live: Body, labels: Record<string, string>): Body => ({
  ...live,
  metadata: { ...live.metadata, labels },
});

/** An apply of an object's identity and this metadata. */
export const applied = ({ apiVersion, kind, metadata }: Body, more: object): Body =>
  ({
    apiVersion,
    kind,
    metadata: { name: metadata!.name, namespace: metadata!.namespace, ...more },
  }) as Body;

export const force = { fieldManager: 'attack', force: true } as const;
