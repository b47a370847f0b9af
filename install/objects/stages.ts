import { builtinScope } from '../../kube/builtin-kinds.ts';
import { resourceOf, type Kind } from '../../runtime/kinds/kind.ts';
import { customKindOf, isDefinition } from './custom-kinds.ts';
import type { PlacedObject } from './placed.ts';

/**
 * What is applied before what: places before what lies in them, definitions before their objects, bounds before
 * rights, rights before who uses them, and webhooks after those who answer. It is taken away the other way round.
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

/** Objects by stage, each in the order in which it is given; those of definitions among them come last. */
export function staged(objects: readonly PlacedObject[]): ReadonlyMap<Stage, PlacedObject[]> {
  const defined = new Set(
    objects.flatMap(({ object }) => {
      const custom = isDefinition(object) ? customKindOf(object) : undefined;
      return custom ? [resourceOf({ ...custom, version: '' })] : [];
    }),
  );
  return grouped(objects, ({ kind }) => stageOf(kind, defined));
}

/** Anything by stage. */
export function grouped<T>(all: readonly T[], stageOf: (one: T) => Stage): ReadonlyMap<Stage, T[]> {
  const groups = new Map<Stage, T[]>(stages.map((stage) => [stage, []]));
  for (const one of all) groups.get(stageOf(one))!.push(one);
  return groups;
}

/** @param defined resources of definitions that go with it, as `resourceOf` writes them */
export function stageOf(kind: Kind, defined: ReadonlySet<string>): Stage {
  if (defined.has(resourceOf(kind))) return 'resources';
  // Kinds of others, such as a ServiceMonitor, may have any name.
  const isBuiltin = builtinScope(kind.group, kind.kind) !== undefined;
  return isBuiltin ? (byKind[kind.kind] ?? 'services') : 'services';
}
