import { FACTS } from '../ownership.ts';
import { celList, celFactLines } from './cel.ts';
import type { TenantUserPolicy } from './policy.ts';

/** The prefix of generated names, for objects that only fields of the platform create. */
const RESERVED_PREFIX = 'tenant-';

/** Kinds for which every name with the prefix is reserved for the platform, future names included. */
const reservedKinds = [
  'RoleBinding.rbac.authorization.k8s.io',
  'NetworkPolicy.networking.k8s.io',
  'ResourceQuota',
  'LimitRange',
];

/**
 * Kinds that scale or take over another object by naming it: Kubernetes' autoscaler, and widely used ones of others.
 * Kinds whose controllers have no rights in a tenant's namespace have no effect here.
 */
const referring: readonly { readonly group: string; readonly resources: readonly string[] }[] = [
  { group: 'autoscaling', resources: ['horizontalpodautoscalers'] },
  { group: 'autoscaling.k8s.io', resources: ['verticalpodautoscalers'] },
  { group: 'autoscaling.gke.io', resources: ['multidimpodautoscalers'] },
  { group: 'keda.sh', resources: ['scaledobjects'] },
  { group: 'argoproj.io', resources: ['rollouts'] },
  { group: 'flagger.app', resources: ['canaries'] },
];

/** CEL for the references in such objects. KEDA's default kind is a Deployment. */
const references = `variables.refers ? ['scaleTargetRef', 'targetRef', 'workloadRef', 'autoscalerRef'].filter(f, f in dyn(object).?spec.orValue({})).map(f, dyn(object).spec[f]).map(r, r.?kind.orValue('Deployment') + (r.?apiVersion.orValue('apps/v1').contains('/') ? '.' + r.?apiVersion.orValue('apps/v1').split('/')[0] : '') + ' ' + r.?name.orValue('')) : []`;

/** CEL for the kinds that have a `scale`. The kind of the subresource itself is Scale for all of them. */
const scaled = `{'deployments': 'Deployment.apps', 'statefulsets': 'StatefulSet.apps', 'replicasets': 'ReplicaSet.apps', 'replicationcontrollers': 'ReplicationController'}`;

/**
 * Reserves the names that the platform uses in the namespace, or may use later. An object that is created before the
 * platform's own would stay in control, because a RoleBinding keeps its role. It also blocks changing or deleting an
 * object of the platform by a subresource: eviction, scale, and an autoscaler that names the object. Subresources have
 * no label that the guard could check.
 */
export const names: TenantUserPolicy = {
  concern: 'names',
  rules: [
    { apiGroups: ['*'], resources: ['*', 'pods/eviction'], operations: ['CREATE'] },
    {
      apiGroups: ['apps'],
      resources: ['deployments/scale', 'statefulsets/scale', 'replicasets/scale'],
      operations: ['UPDATE'],
    },
    {
      apiGroups: [''],
      resources: ['replicationcontrollers/scale'],
      operations: ['UPDATE'],
    },
    ...referring.map(({ group, resources }) => ({
      apiGroups: [group],
      resources,
      operations: ['UPDATE' as const],
    })),
  ],
  variables: {
    // The object's own name is checked on creation.
    isNamed: "request.operation == 'CREATE' || request.?subResource.orValue('') == 'scale'",
    refers: `(request.kind.group in ${celList(referring.map(({ group }) => group))}) && request.?subResource.orValue('') == ''`,
    references,
    taken: `variables.references.filter(r, r in ${celFactLines(FACTS.names)})`,
    kind: `request.?subResource.orValue('') == 'eviction' ? 'Pod' : request.?subResource.orValue('') == 'scale' ? ${scaled}[request.resource.resource] : request.kind.kind + (request.kind.group == '' ? '' : '.' + request.kind.group)`,
    name: "request.?subResource.orValue('') == '' ? object.?metadata.?name.orValue('') : request.name",
  },
  validations: [
    {
      expression: `!variables.isNamed || !((variables.kind + ' ' + variables.name) in ${celFactLines(FACTS.names)})`,
      message:
        "'the name ' + variables.name + ' of a ' + variables.kind + ' is the platform\\'s in this namespace: change the declaration of the tenant in Git, or choose another name'",
    },
    {
      expression: `!variables.isNamed || !(variables.kind in ${celList(reservedKinds)} && variables.name.startsWith('${RESERVED_PREFIX}'))`,
      message: `'the name of a ' + variables.kind + ' must not begin with ${RESERVED_PREFIX}, which is the platform\\'s, got ' + variables.name`,
    },
    {
      expression: 'size(variables.taken) == 0',
      message:
        "'a ' + variables.kind + ' must not scale what the platform declares in this namespace, got ' + variables.taken.join(', ') + ': change the declaration of the tenant in Git'",
    },
  ],
};
