import { resolvePlatform } from '../../model/platform.ts';
import type { TenantSpec } from '../../crds/types.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { Tenant, TenantClass, wholeKinds } from '../../operator/cluster/kinds.ts';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import type { Kind, Live, Written } from '@tenantry/runtime/kinds/kind';
import { NetworkPolicy } from '@tenantry/runtime/kinds/networking';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import type { SimulatedApi, ClusterView } from '@tenantry/testing/simulation/cluster-view';
import type { ActionContext, SimulateProps } from '@tenantry/testing/simulation/simulate-props';
import { fleetIn } from './oracle.ts';

export const platform = resolvePlatform({
  clusters: [{ name: 'eu' }, { name: 'us' }],
  defaultClusters: ['eu'],
  defaultClass: 'standard',
});
export const cluster = 'eu';
export const label = 'tenantry.dev/tenant';
export const names = ['acme', 'bolt'];
export const spaces = ['acme', 'bolt', 'shared'];
const group = 'rbac.authorization.k8s.io';

/** Runs an action and ignores a refusal by the server, so that the next action runs. */
function trying(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

export const viewOf = (api: SimulatedApi): Pick<ClusterView, 'list'> => ({
  list: (kind, selection) => api.list(kind, { ...selection, limit: 0 }).items,
});

/** Returns all objects of the kinds of a tenant. */
const present = (api: SimulatedApi): readonly (readonly [Kind, Live])[] =>
  wholeKinds.flatMap((kind: Kind) =>
    viewOf(api)
      .list(kind)
      .filter(({ metadata }) => spaces.includes(metadata.namespace ?? metadata.name))
      .map((one) => [kind, one] as const),
  );

/** Returns the objects that Git declares for the existing Tenants. */
function declaredIn(api: SimulatedApi): readonly KubeObject[] {
  const fleet = fleetIn(viewOf(api), platform);
  return viewOf(api)
    .list(Tenant)
    .flatMap(({ metadata: { name }, spec = {} }) => fleet.desired({ name, spec }).namespaces)
    .filter((one) => one.cluster === cluster)
    .flatMap(({ objects }) => objects);
}

function sync({ api }: ActionContext): void {
  for (const object of declaredIn(api)) {
    const kind: Kind | undefined = wholeKinds.find((one) => one.kind === object.kind);
    if (!kind) continue;
    const options = { fieldManager: 'argocd-controller', force: true };
    trying(() => api.apply(kind, object as Written, options));
  }
}

function prune({ api }: ActionContext): void {
  const id = ({ kind, metadata }: Pick<KubeObject, 'kind' | 'metadata'> | Live): string =>
    `${kind} ${metadata.namespace} ${metadata.name}`;
  const declared = new Set(declaredIn(api).map(id));
  for (const [kind, one] of present(api)) {
    if (one.metadata.labels?.[label] === undefined || declared.has(id(one))) continue;
    trying(() => void api.delete(kind, one.metadata));
  }
}

/** Returns a patch that replaces the spec: removed fields are null. */
const instead = (spec: TenantSpec): TenantSpec =>
  ({
    driftPolicy: null,
    lifecycle: null,
    className: null,
    quota: null,
    access: null,
    namespaces: null,
    clusters: null,
    ...spec,
  }) as unknown as TenantSpec;

const someObject = ({ api, pick }: ActionContext): readonly [Kind, Live] | undefined => {
  const all = present(api);
  return all.length > 0 ? pick(all) : undefined;
};

/** The actions of users and Argo CD on tenants, classes and their objects. */
export const actionsOn = (
  specOf: (context: ActionContext) => TenantSpec,
): NonNullable<SimulateProps['actions']> => ({
  'a tenant is made': (context) => {
    const name = context.pick(names);
    context.api.create(Tenant, { metadata: { name }, spec: specOf(context) });
  },
  'a tenant is made and synced': (context) => {
    const name = context.pick(names);
    context.api.create(Tenant, { metadata: { name }, spec: specOf(context) });
    sync(context);
  },
  'a tenant is edited': (context) => {
    context.api.patch(Tenant, { name: context.pick(names) }, { spec: instead(specOf(context)) });
  },
  'a tenant is cordoned or uncordoned': ({ api, pick, happens }) => {
    api.patch(Tenant, { name: pick(names) }, { spec: { cordoned: happens(0.5) } });
  },
  'a tenant is deleted': ({ api, pick }) => void api.delete(Tenant, { name: pick(names) }),
  'a class is edited': ({ api, pick, whole }) => {
    const spec = { defaults: { quota: { hard: { pods: whole(10, 19) } } } };
    api.patch(TenantClass, { name: pick(['standard', 'strict']) }, { spec });
  },
  'a class is broken or repaired': ({ api, pick, happens }) => {
    const name = pick(['standard', 'strict', 'child']);
    const mended = name === 'child' ? 'strict' : null;
    api.patch(TenantClass, { name }, { spec: { extends: happens(0.5) ? name : mended } } as never);
  },
  'a class is deleted': ({ api }) => void api.delete(TenantClass, { name: 'strict' }),
  'Argo CD syncs': sync,
  'Argo CD prunes': prune,
  'somebody changes a quota': ({ api, pick, whole, happens }) => {
    const hard = happens(0.5) ? { pods: `${whole(20, 29)}` } : { 'count/jobs.batch': '7' };
    const place = { name: 'tenant-quota', namespace: pick(spaces) };
    api.patch(ResourceQuota, place, { spec: { hard } });
  },
  'pods use up a quota, or go': ({ api, pick, happens }) => {
    const status = { hard: { pods: '10' }, used: { pods: happens(0.5) ? '10' : '2' } };
    const place = { name: 'tenant-quota', namespace: pick(spaces) };
    api.patch(ResourceQuota, place, { status }, { subresource: 'status' });
  },
  'somebody deletes an object': (context) => {
    const [kind, one] = someObject(context) ?? [];
    if (kind && one) context.api.delete(kind, one.metadata);
  },
  'somebody strips a label': (context) => {
    const [kind, one] = someObject(context) ?? [];
    if (!kind || !one) return;
    const labels = { [label]: null as unknown as string };
    context.api.patch(kind, one.metadata, { metadata: { labels } });
  },
  'somebody puts the label of a tenant on an object': (context) => {
    const [kind, one] = someObject(context) ?? [];
    if (!kind || !one) return;
    const labels = { [label]: context.pick([...names, 'nobody']) };
    context.api.patch(kind, one.metadata, { metadata: { labels } });
  },
  'a user gets undeclared access': ({ api, pick }) => {
    api.create(RoleBinding, {
      metadata: { name: 'undeclaredObject', namespace: pick(spaces) },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'admin' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'eve' }],
    });
  },
  'undeclared traffic is allowed': ({ api, pick }) => {
    api.create(NetworkPolicy, {
      metadata: { name: 'undeclaredObject', namespace: pick(spaces) },
      spec: { podSelector: {}, ingress: [{}], policyTypes: ['Ingress'] },
    });
  },
  'somebody puts a namespace into a mesh, or out of it': ({ api, pick, happens }) => {
    const labels = { 'istio-injection': happens(0.6) ? 'enabled' : (null as unknown as string) };
    api.patch(Namespace, { name: pick(spaces) }, { metadata: { labels } });
  },
  'a namespace is deleted': ({ api, pick }) => void api.delete(Namespace, { name: pick(spaces) }),
});
