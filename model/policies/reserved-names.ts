import { celPodTemplate } from '../allow-lists/pod-template.ts';
import { FACTS, TENANT_LABEL } from '../ownership.ts';
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

/** CEL for the keys of `tenantry.dev` and its subdomains. */
const ownKeys = (map: string): string =>
  `${map}.orValue({}).filter(k, k.matches('^([^/]*[.])?tenantry[.]dev/'))`;

/** CEL for all metadata in the object that a controller copies. */
const copied = [
  '[variables.template.?metadata.orValue({})]',
  '(variables.template.?spec.?volumes.orValue([]).map(v, v.?ephemeral.?volumeClaimTemplate.?metadata.orValue({})))',
  '(variables.o.?spec.?volumeClaimTemplates.orValue([]).map(c, c.?metadata.orValue({})))',
  "(variables.o.kind == 'CronJob' ? [variables.o.spec.jobTemplate.?metadata.orValue({})] : [])",
  "(variables.o.kind == 'ResourceClaimTemplate' ? [variables.o.spec.?metadata.orValue({})] : [])",
].join(' + ');

/**
 * Refuses labels and annotations of Tenantry in a template. The guard exempts the controller that copies them, so the
 * copies would pass for objects of the platform that nobody else could delete: a volume claim, a pod, a Job. The policy
 * checks the templates and what Kubernetes' controllers create from them.
 */
export const templates: TenantUserPolicy = {
  concern: 'templates',
  rules: [
    {
      apiGroups: ['apps'],
      resources: ['deployments', 'statefulsets', 'daemonsets', 'replicasets'],
      operations: ['CREATE', 'UPDATE'],
    },
    { apiGroups: ['batch'], resources: ['jobs', 'cronjobs'], operations: ['CREATE', 'UPDATE'] },
    {
      apiGroups: [''],
      resources: ['pods', 'podtemplates', 'replicationcontrollers'],
      operations: ['CREATE', 'UPDATE'],
    },
    {
      apiGroups: ['resource.k8s.io'],
      resources: ['resourceclaimtemplates'],
      operations: ['CREATE', 'UPDATE'],
    },
    { apiGroups: [''], resources: ['persistentvolumeclaims'], operations: ['CREATE'] },
    { apiGroups: ['resource.k8s.io'], resources: ['resourceclaims'], operations: ['CREATE'] },
  ],
  exemptsControllers: false,
  variables: {
    o: 'dyn(object)',
    // What controllers of others derive from a Pod is only in its volumes.
    template: celPodTemplate('variables.o'),
    found: `(${copied}).map(m, ${ownKeys('m.?labels')} + ${ownKeys('m.?annotations')}).filter(l, size(l) > 0)`,
  },
  validations: [
    {
      expression: 'size(variables.found) == 0',
      message:
        "'a template must have no labels or annotations of Tenantry, which a controller would copy, got ' + variables.found[0].join(', ')",
    },
    {
      // When the object is created, the guard has exempted its creator.
      expression: `request.operation != 'CREATE' || !('${TENANT_LABEL}' in variables.o.metadata.?labels.orValue({}))`,
      message: `'what a controller makes must not have the label ${TENANT_LABEL}, got ' + variables.o.metadata.labels['${TENANT_LABEL}']`,
    },
  ],
};
