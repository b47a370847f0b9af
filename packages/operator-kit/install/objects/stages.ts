import { builtinScope } from '@tenantry/kube/builtin-kinds';
import { resourceOf, type Kind } from '@tenantry/runtime/kinds/kind';
import { readCustomKind, isDefinition, type PlacedObject } from './placed-objects.ts';

/**
 * The order of application: namespaces before their objects, definitions before custom objects,
 * limits before rights, rights before their users, and webhooks after their servers. Deletion is in
 * reverse.
 */
export const stages = [
  'namespaces',
  'definitions',
  'bounds',
  'accounts',
  'roles',
  'bindings',
  'services',
  'workloads',
  'webhooks',
  'resources',
] as const;

export type Stage = (typeof stages)[number];

const byKind: Readonly<Record<string, Stage>> = {
  Namespace: 'namespaces',
  CustomResourceDefinition: 'definitions',
  PriorityClass: 'bounds',
  StorageClass: 'bounds',
  RuntimeClass: 'bounds',
  ResourceQuota: 'bounds',
  LimitRange: 'bounds',
  NetworkPolicy: 'bounds',
  ValidatingAdmissionPolicy: 'bounds',
  ValidatingAdmissionPolicyBinding: 'bounds',
  ServiceAccount: 'accounts',
  Secret: 'accounts',
  ConfigMap: 'accounts',
  PersistentVolume: 'accounts',
  PersistentVolumeClaim: 'accounts',
  ClusterRole: 'roles',
  Role: 'roles',
  ClusterRoleBinding: 'bindings',
  RoleBinding: 'bindings',
  Deployment: 'workloads',
  StatefulSet: 'workloads',
  DaemonSet: 'workloads',
  ReplicaSet: 'workloads',
  Job: 'workloads',
  CronJob: 'workloads',
  Pod: 'workloads',
  MutatingAdmissionPolicy: 'webhooks',
  MutatingAdmissionPolicyBinding: 'webhooks',
  MutatingWebhookConfiguration: 'webhooks',
  ValidatingWebhookConfiguration: 'webhooks',
  APIService: 'webhooks',
};

/** Groups objects by stage, each in the given order. Objects of definitions among them come last. */
export function staged(objects: readonly PlacedObject[]): ReadonlyMap<Stage, PlacedObject[]> {
  const defined = new Set(
    objects.flatMap(({ object }) => {
      const custom = isDefinition(object) ? readCustomKind(object) : undefined;
      return custom ? [resourceOf({ ...custom, version: '' })] : [];
    }),
  );
  return grouped(objects, ({ kind }) => chooseStage(kind, defined));
}

/** Groups anything by stage. */
export function grouped<T>(all: readonly T[], stageOf: (one: T) => Stage): ReadonlyMap<Stage, T[]> {
  const groups = new Map<Stage, T[]>(stages.map((stage) => [stage, []]));
  for (const one of all) groups.get(stageOf(one))!.push(one);
  return groups;
}

/**
 * @param defined resources of the definitions that belong to the same manifests, as `resourceOf`
 * writes them
 */
export function chooseStage(kind: Kind, defined: ReadonlySet<string>): Stage {
  if (defined.has(resourceOf(kind))) return 'resources';
  // Custom kinds, such as ServiceMonitor, may have any name.
  const isBuiltin = builtinScope(kind.group, kind.kind) !== undefined;
  return isBuiltin ? (byKind[kind.kind] ?? 'services') : 'services';
}
