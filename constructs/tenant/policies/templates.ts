import { TENANT_LABEL } from '../ownership.ts';
import type { TenantUserPolicy } from './policy.ts';

/** CEL for the keys of `tenantry.dev` and its subdomains. */
const ownKeys = (map: string): string =>
  `${map}.orValue({}).filter(k, k.matches('^([^/]*[.])?tenantry[.]dev/'))`;

/**
 * CEL for the pod template of Kubernetes' kinds. What controllers of others derive from a Pod is only in its volumes.
 */
const template = `variables.o.kind == 'PodTemplate' ? variables.o.?template.orValue({}) :
  variables.o.kind == 'Pod' ? {'spec': variables.o.spec} :
  variables.o.kind == 'CronJob' ? variables.o.spec.jobTemplate.?spec.?template.orValue({}) :
  variables.o.?spec.?template.orValue({})`;

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
    template,
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
