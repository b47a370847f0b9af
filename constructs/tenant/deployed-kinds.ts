import { builtinScope, type Scope } from '../../kube/builtin-kinds.ts';
import type { GroupKind } from '../../crds/tenantry/tenant-argocd.ts';

const groups = {
  '': [
    'ConfigMap',
    'PersistentVolumeClaim',
    'Pod',
    'ReplicationController',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  apps: ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  autoscaling: ['HorizontalPodAutoscaler'],
  batch: ['CronJob', 'Job'],
  'networking.k8s.io': ['Ingress'],
  policy: ['PodDisruptionBudget'],
  'resource.k8s.io': ['ResourceClaim', 'ResourceClaimTemplate'],
};

/**
 * The kinds that Applications of tenants may contain without permission of the class. Of the kinds that Kubernetes'
 * role `admin` may create, these grant no access, open no network, and are useful in Git.
 */
export const ordinaryKinds: readonly GroupKind[] = Object.entries(groups).flatMap(
  ([group, kinds]) => kinds.map((kind) => ({ group, kind })),
);

const ordinary: ReadonlySet<string> = new Set(ordinaryKinds.map(formatKind));

/** Whether a kind is one of the ordinary kinds. */
export function isOrdinaryKind(one: GroupKind): boolean {
  return ordinary.has(formatKind(one));
}

/** Groups in which every kind grants access, opens a network or bounds somebody. */
const bounding: ReadonlySet<string> = new Set([
  'rbac.authorization.k8s.io',
  'projectcalico.org',
  'crd.projectcalico.org',
  'cilium.io',
  'crd.antrea.io',
  'k8s.ovn.org',
  'argoproj.io',
  'tenantry.dev',
]);

const boundingKinds: ReadonlySet<string> = new Set([
  '/ResourceQuota',
  '/LimitRange',
  '/Endpoints',
  'discovery.k8s.io/EndpointSlice',
  'networking.k8s.io/NetworkPolicy',
]);

/**
 * Whether a kind grants access, opens a network or bounds somebody. Argo CD itself may write all of these, and no
 * admission policy applies to it.
 */
export function isRestrictedKind({ group, kind }: GroupKind): boolean {
  return bounding.has(group) || boundingKinds.has(`${group}/${kind}`);
}

/** Returns the scope of a kind, as far as Kubernetes or the platform knows. */
export function findScope(
  { group, kind }: GroupKind,
  kinds: ReadonlyMap<string, Scope>,
): Scope | undefined {
  return builtinScope(group, kind) ?? kinds.get(`${group}/${kind}`);
}

/** Formats a kind: `ConfigMap`, `Deployment.apps`. */
export function formatKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}
