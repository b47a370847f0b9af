import { expect } from '@jest/globals';
import { Testing } from 'cdk8s';
import { readPlatform } from '../../apps/platform-file.ts';
import { TenantAdoption } from '../../constructs/tenant/tree/adoption.ts';
import { TenantGuard } from '../../constructs/tenant/tree/guard.ts';
import { TenantReservedKeys } from '../../constructs/tenant/tree/reserved-keys.ts';
import { TenantPolicy } from '../../constructs/tenant/tree/tenant-policy.ts';
import type { TenantClassDeclaration } from '../../constructs/tenant/declaration.ts';
import { desired } from '../../constructs/tenant/desired.ts';
import { CONCERNS, TENANT_LABEL } from '../../constructs/tenant/ownership.ts';
import { ADOPTION_NAME } from '../../constructs/tenant/policies/adoption.ts';
import { policyName } from '../../constructs/tenant/policies/policy.ts';
import { RESERVED_KEYS_NAME } from '../../constructs/tenant/policies/reserved-keys.ts';
import { crdManifest } from '../../crds/definition.ts';
import { tenant as kind, type TenantSpec } from '../../crds/tenantry/tenant.ts';
import type { ClusterAccess } from '../../testing/controlplane/access.ts';
import type { Client } from '../../testing/controlplane/client.ts';
import { toReference, type Body, type Reply } from '../../testing/controlplane/objects.ts';
import { uniqueName } from '../testing/controlplane/shared.ts';
import { until } from '../../testing/waiting/until.ts';
import { root } from '../structure/tracked.ts';

const RBAC = 'rbac.authorization.k8s.io';

/**
 * The platform of this repository: the guard and the policies have one name on a cluster, so that
 * every test that applies them to the shared cluster has to apply the same.
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
function declared(
  name: string,
  spec: TenantSpec,
  klass: TenantClassDeclaration['spec'] = {},
  of = platform,
) {
  const prefixed = { namespacePrefix: `${name}-`, namespaces: [{ name: 'shop' }], ...spec };
  const { namespaces, findings, tenant } = desired(
    { name, spec: { ...prefixed, clusters: [platform.clusters[0]!.name] } },
    { name: 'standard', spec: klass },
    of,
  );
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const objects = namespaces.flatMap((one) => one.objects).map((one) => one as unknown as Body);
  const live: LiveTenant = { name, namespace: namespaces[0]!.name, objects };
  return { live, tenant: tenant as unknown as Body };
}

/** The objects of a tenant that nobody has brought to the cluster. */
export function desiredObjects(name: string, spec: TenantSpec): readonly Body[] {
  return declared(name, spec).live.objects;
}

interface Delivery {
  readonly klass?: TenantClassDeclaration['spec'];
  readonly before?: LiveTenant;
  /** As whom Argo CD syncs what tenants have in repositories. @default - what the platform says */
  readonly impersonation?: 'Enabled' | 'Disabled';
}

/** Brings a tenant to the cluster as the platform does, behind the guard; what it no longer declares goes. */
export async function deliver(
  cluster: ClusterAccess,
  name: string,
  spec: TenantSpec,
  { klass, before, impersonation }: Delivery = {},
): Promise<LiveTenant> {
  await guarded(cluster);
  const of = impersonation ? { ...platform, argocdImpersonation: impersonation } : platform;
  const { live, tenant } = declared(name, spec, klass, of);
  await apply(cluster, [tenant, ...live.objects]);
  const kept = new Set(live.objects.map(identity));
  for (const object of before?.objects ?? []) {
    if (!kept.has(identity(object))) await cluster.admin.delete(toReference(object));
  }
  return live;
}

const identity = (object: Body): string => JSON.stringify(toReference(object));

export async function apply(cluster: ClusterAccess, objects: readonly Body[]): Promise<void> {
  const options = { fieldManager: 'platform', force: true, fieldValidation: 'Strict' } as const;
  for (const object of objects) {
    const { status, body } = await cluster.admin.apply(object, options);
    if (status >= 300) throw new Error(`${identity(object)}: ${status} ${body.message}`);
  }
}

let guarding: Promise<void> | undefined;

/** The guard, the policies and our kind of tenants are there, and all policies are in force. */
function guarded(cluster: ClusterAccess): Promise<void> {
  guarding ??= startGuard(cluster);
  return guarding;
}

async function startGuard(cluster: ClusterAccess): Promise<void> {
  const chart = Testing.chart();
  new TenantGuard(chart, 'guard', { platform });
  new TenantReservedKeys(chart, 'reserved-keys', { platform });
  new TenantAdoption(chart, 'adoption', { platform });
  for (const concern of CONCERNS) new TenantPolicy(chart, concern, { concern, platform });
  await apply(cluster, [...(Testing.synth(chart) as Body[]), crdManifest(kind) as unknown as Body]);
  const mallory = await powerful(cluster, person('mallory'));
  const metadata = { name: uniqueName('probe'), labels: { [TENANT_LABEL]: 'probe' } };
  const probe = { apiVersion: 'v1', kind: 'Namespace', metadata };
  await apply(cluster, [probe]);
  const annotated = { metadata: { annotations: { probed: 'yes' } } };
  await until('the guard is in force', async () =>
    isGuarded(await mallory.patch(toReference(probe), annotated, { dryRun: true }), 'probe'),
  );
  for (const [policy, ask] of Object.entries(probesOf(metadata.name))) {
    await until(`${policy} is in force`, async () => {
      const { status, body } = await ask(mallory);
      return status === 403 && (body.message ?? '').includes(policy);
    });
  }
  const labels = { [TENANT_LABEL]: 'another' };
  const foreign = { name: 'x', namespace: metadata.name, labels };
  await until(`${ADOPTION_NAME} is in force`, async () => {
    // It holds administrators too, whom the guard lets through.
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: foreign };
    return (await cluster.admin.create(body, { dryRun: true })).status === 403;
  });
  const tenants = { apiVersion: kind.apiVersion, kind: kind.kind };
  await until('tenants are served', async () => {
    return (await cluster.admin.list(tenants)).status === 200;
  });
  for (const name of ['admin', 'edit', 'view']) {
    const role = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', name };
    await until(`the role ${name} has its rules`, async () => {
      return ((await cluster.admin.get(role)).body['rules'] as unknown[]).length > 5;
    });
  }
}

/** For each policy, what it refuses in a namespace that says nothing to it. */
function probesOf(namespace: string): Record<string, (by: Client) => Promise<Reply>> {
  const core = (kind: string, more: object) => (by: Client) =>
    by.create({ apiVersion: 'v1', kind, metadata: { name: 'tenant-x', namespace }, ...more }, dry);
  const dry = { dryRun: true };
  const containers = [{ name: 'x', image: 'example.com/x:1' }];
  const network = (name: string, spec: object) => (by: Client) =>
    by.create(
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name, namespace },
        spec: { podSelector: {}, ...spec },
      },
      dry,
    );
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' };
  const metadata = { name: 'x', namespace };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', name: 'default', namespace };
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' };
  return {
    [policyName('names')]: network('tenant-x', {}),
    [policyName('roleBindings')]: (by) =>
      by.create({ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata, roleRef }, dry),
    [policyName('networkPolicies')]: network('x', { ingress: [{}] }),
    [policyName('services')]: core('Service', {
      spec: { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] },
    }),
    [policyName('tokenSecrets')]: core('Secret', {
      type: 'kubernetes.io/service-account-token',
      metadata: { ...metadata, annotations: { 'kubernetes.io/service-account.name': 'default' } },
    }),
    [policyName('tokens')]: (by) =>
      by.put(account, 'token', { ...request, spec: { expirationSeconds: 172_800 } } as Body, {
        method: 'POST',
      }),
    [RESERVED_KEYS_NAME]: core('ConfigMap', {
      metadata: { ...metadata, annotations: { 'argocd.argoproj.io/hook': 'Sync' } },
    }),
    [policyName('pods')]: core('Pod', { spec: { nodeName: 'x', containers } }),
    [policyName('disruptionBudgets')]: (by) =>
      by.create(
        {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata,
          spec: { selector: {}, minAvailable: '100%' },
        },
        dry,
      ),
    [policyName('templates')]: core('PodTemplate', {
      template: { metadata: { labels: { [TENANT_LABEL]: 'x' } }, spec: { containers } },
    }),
  };
}

/** What Mallory may do on the whole cluster: enough for RBAC to stop her nowhere in these tests. */
const power = Object.entries({
  '': 'namespaces namespaces/status namespaces/finalize resourcequotas resourcequotas/status limitranges serviceaccounts serviceaccounts/token configmaps secrets services pods podtemplates',
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
  await until(`${user} has the role`, async () => {
    return (await client.list({ apiVersion: 'v1', kind: 'Namespace' })).status === 200;
  });
  return client;
}

/** Waits until RBAC lets a client read a namespace, or no longer does. */
export async function reads(client: Client, namespace: string, may = true): Promise<void> {
  const pods = { apiVersion: 'v1', kind: 'Pod', namespace };
  await until(`its access to ${namespace} is ${may}`, async () => {
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

/** That the guard refused, maybe with other policies: which of them speaks first is nobody's word. */
export const refusalOf = (tenant: string) => {
  const cause = expect.objectContaining({ message: expect.stringContaining(words(tenant)) });
  const details = { causes: expect.arrayContaining([cause]) };
  return { status: 403, body: { reason: 'Forbidden', details } };
};

/**
 * The same of a request that also changes the label of the tenant, which the policies about adoption and about reserved
 * keys refuse as well: the API server reports only one of them, in no fixed order.
 */
export const captureRefusal = (tenant: string) => {
  const refusals = [words(tenant), `'${ADOPTION_NAME}'`, `'${RESERVED_KEYS_NAME}'`];
  const cause = {
    asymmetricMatch: ({ message }: { readonly message: string }) =>
      refusals.some((refusal) => message.includes(refusal)),
  };
  const details = { causes: expect.arrayContaining([cause]) };
  return { status: 403, body: { reason: 'Forbidden', details } };
};
