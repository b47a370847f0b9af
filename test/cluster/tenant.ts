import { expect } from '@jest/globals';
import { Testing } from 'cdk8s';
import { readPlatform } from '../../apps/platform-file.ts';
import {
  TenantAdoption,
  TenantAllowLists,
  TenantGuard,
  TenantReservedKeys,
  TenantPolicy,
} from '../../constructs/tenant/admission-policies.ts';
import type { TenantClassDeclaration } from '../../model/declaration.ts';
import { desired } from '../../model/desired.ts';
import { CONCERNS, TENANT_LABEL } from '../../model/ownership.ts';
import { ADOPTION_NAME } from '../../model/policies/ownership.ts';
import { policyName } from '../../model/policies/policy.ts';
import { RESERVED_KEYS_NAME } from '../../model/policies/reserved-keys.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { tenant as kind, type TenantSpec } from '../../crds/tenant.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body, type Reply } from '@tenantry/testing/controlplane/objects';
import { uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { root } from '../structure/tracked.ts';

const RBAC = 'rbac.authorization.k8s.io';

/**
 * The platform of this repository. The guard and the policies have fixed names, and a cluster has each only once.
 * Every test that applies them to the shared cluster must therefore apply the same ones.
 */
const { platform } = readPlatform(`${root}/tenantry.yaml`, { mustExist: true });

/** A tenant in a cluster. */
export interface LiveTenant {
  readonly name: string;
  /** The first of its namespaces. */
  readonly namespace: string;
  /** Everything that the platform created there. */
  readonly objects: readonly Body[];
}

/** Returns a name for a user or a machine of a test that no other test of the run uses. */
export function person(name: string): string {
  return `${uniqueName(name)}@example.com`;
}

/**
 * Builds the desired state of a tenant. The name of each namespace is the tenant's name followed by the name in
 * `spec`.
 */
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

/** Returns the objects of a tenant that is not applied to the cluster. */
export function desiredObjects(name: string, spec: TenantSpec): readonly Body[] {
  return declared(name, spec).live.objects;
}

interface Delivery {
  readonly klass?: TenantClassDeclaration['spec'];
  readonly before?: LiveTenant;
  /**
   * Whether Argo CD impersonates an account of the tenant to sync what the tenant has in repositories.
   * @default - what the platform declares
   */
  readonly impersonation?: 'Enabled' | 'Disabled';
}

/** Applies a tenant as the platform does, behind the guard, and prunes what it no longer declares. */
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

/** Installs the guard, the policies and the Tenant kind once, and waits until all policies are in force. */
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
  new TenantAllowLists(chart, 'allow-lists');
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
    // This policy also applies to administrators, whom the guard lets through.
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

/** Returns one request per policy, which the policy refuses in a namespace without settings for it. */
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

/** The rights of Mallory in the whole cluster: enough that RBAC refuses her nothing in these tests. */
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

/** Grants a user these rights in the whole cluster, without making the user an administrator. */
export function powerful(
  cluster: ClusterAccess,
  user: string,
  groups: readonly string[] = [],
): Promise<Client> {
  const metadata = { name: uniqueName('powerful') };
  const role = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata, rules: power };
  return bound(cluster, user, groups, role);
}

/** Binds a user in the whole cluster, and returns once the API server has noticed. */
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

/**
 * Returns whether a client may do something such as `patch deployments.apps/scale`; without a namespace, in all of
 * them.
 */
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

/** Returns whether the guard refused, and no other policy did. */
function isGuarded({ status, body }: Reply, tenant: string): boolean {
  return status === 403 && (body.message ?? '').includes(words(tenant));
}

/**
 * Matches a refusal by the guard, possibly together with other policies: which one is reported first is undefined.
 */
export const refusalOf = (tenant: string) => {
  const cause = expect.objectContaining({ message: expect.stringContaining(words(tenant)) });
  const details = { causes: expect.arrayContaining([cause]) };
  return { status: 403, body: { reason: 'Forbidden', details } };
};

/**
 * Matches the refusal of a request that also changes the label of the tenant. The policies about adoption and about
 * reserved keys refuse it as well. The API server reports only one of them, in no fixed order.
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
