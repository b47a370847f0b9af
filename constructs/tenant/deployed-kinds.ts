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
 * The kinds that Applications of tenants may hold without a word of the class: of those that
 * Kubernetes' role `admin` may create, all that give nobody rights and open no network, and that
 * somebody would keep in Git.
 */
export const ordinaryKinds: readonly GroupKind[] = Object.entries(groups).flatMap(
  ([group, kinds]) => kinds.map((kind) => ({ group, kind })),
);

const ordinary: ReadonlySet<string> = new Set(ordinaryKinds.map(formatKind));

/** Whether a kind is one of them. */
export function isOrdinaryKind(one: GroupKind): boolean {
  return ordinary.has(formatKind(one));
}

/** Groups of which every kind gives rights, opens a network or bounds somebody. */
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
 * Whether a kind gives rights, opens a network or bounds somebody. Argo CD itself may write all of
 * that, and no admission policy holds it.
 */
export function isRestrictedKind({ group, kind }: GroupKind): boolean {
  return bounding.has(group) || boundingKinds.has(`${group}/${kind}`);
}

/** Where objects of a kind lie, as far as Kubernetes or the platform knows. */
export function findScope(
  { group, kind }: GroupKind,
  kinds: ReadonlyMap<string, Scope>,
): Scope | undefined {
  return builtinScope(group, kind) ?? kinds.get(`${group}/${kind}`);
}

/** `ConfigMap`, `Deployment.apps`. */
export function formatKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}
