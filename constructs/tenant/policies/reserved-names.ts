import { FACTS } from '../ownership.ts';
import { celList, celFactLines } from './cel.ts';
import type { TenantUserPolicy } from './policy.ts';

/** What begins the names that are derived, of objects that only the platform's fields give. */
const RESERVED_PREFIX = 'tenant-';

/** Kinds whose every name with the prefix is the platform's, even one to come. */
const reservedKinds = [
  'RoleBinding.rbac.authorization.k8s.io',
  'NetworkPolicy.networking.k8s.io',
  'ResourceQuota',
  'LimitRange',
];

/**
 * What scales something else, or makes it its own, by naming it: Kubernetes' autoscaler, and those of
 * others that are widely used. What has no rights in a namespace of tenants does nothing here.
 */
const referring: readonly { readonly group: string; readonly resources: readonly string[] }[] = [
  { group: 'autoscaling', resources: ['horizontalpodautoscalers'] },
  { group: 'autoscaling.k8s.io', resources: ['verticalpodautoscalers'] },
  { group: 'autoscaling.gke.io', resources: ['multidimpodautoscalers'] },
  { group: 'keda.sh', resources: ['scaledobjects'] },
  { group: 'argoproj.io', resources: ['rollouts'] },
  { group: 'flagger.app', resources: ['canaries'] },
];

/** The references that such objects hold; KEDA's is to a Deployment where it does not say. */
const references = `variables.refers ? ['scaleTargetRef', 'targetRef', 'workloadRef', 'autoscalerRef'].filter(f, f in dyn(object).?spec.orValue({})).map(f, dyn(object).spec[f]).map(r, r.?kind.orValue('Deployment') + (r.?apiVersion.orValue('apps/v1').contains('/') ? '.' + r.?apiVersion.orValue('apps/v1').split('/')[0] : '') + ' ' + r.?name.orValue('')) : []`;

/** The kinds that have a `scale`; its own kind is Scale, whatever it scales. */
const scaled = `{'deployments': 'Deployment.apps', 'statefulsets': 'StatefulSet.apps', 'replicasets': 'ReplicaSet.apps', 'replicationcontrollers': 'ReplicationController'}`;

/**
 * What has a name that the platform uses in the namespace, or may come to use: whoever makes it
 * before the platform does decides over it for good, since a RoleBinding keeps its role. And the
 * ways to change or delete an object of the platform by a subresource, whose own object has no
 * label for the guard to see: its eviction, its scale, and an autoscaler that names it.
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
    // Its own name counts where it is made.
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
