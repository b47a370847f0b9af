/** The kinds of Rancher that concern projects. Source: github.com/rancher/rancher, pkg/apis/management.cattle.io/v3 */
import { boolean, object, required, type Static } from '@tenantry/crd/schema';
import { list, quantity, text } from '../system-schemas.ts';
import { map } from '../../../crds/schema-builders.ts';
import type { SystemKind } from '../tenancy-system.ts';

/** The name of the system in reports. */
export const RANCHER = 'Rancher';

/** The annotation of a namespace, `<cluster>:<project>`, and its label, which has the project only. */
export const PROJECT_ID = 'field.cattle.io/projectId';

const GROUP = 'management.cattle.io';

/** The names of Rancher for the resources of a quota, and those of Kubernetes. */
export const quotaKeys = {
  pods: 'pods',
  services: 'services',
  replicationControllers: 'replicationcontrollers',
  secrets: 'secrets',
  configMaps: 'configmaps',
  persistentVolumeClaims: 'persistentvolumeclaims',
  servicesNodePorts: 'services.nodeports',
  servicesLoadBalancers: 'services.loadbalancers',
  requestsCpu: 'requests.cpu',
  requestsMemory: 'requests.memory',
  requestsStorage: 'requests.storage',
  limitsCpu: 'limits.cpu',
  limitsMemory: 'limits.memory',
} as const;

const amount = quantity;
const limit = object('Bounds.', {
  pods: amount,
  services: amount,
  replicationControllers: amount,
  secrets: amount,
  configMaps: amount,
  persistentVolumeClaims: amount,
  servicesNodePorts: amount,
  servicesLoadBalancers: amount,
  requestsCpu: amount,
  requestsMemory: amount,
  requestsStorage: amount,
  limitsCpu: amount,
  limitsMemory: amount,
  extended: map('Further bounds, by the names of Kubernetes.', amount, { maxProperties: 1000 }),
});
export type QuotaLimit = Static<typeof limit>;

const containerLimit = object('Defaults of containers.', {
  requestsCpu: amount,
  requestsMemory: amount,
  limitsCpu: amount,
  limitsMemory: amount,
});
export type ContainerLimit = Static<typeof containerLimit>;

const project = object('A Project.', {
  spec: required(
    object('Its spec.', {
      displayName: text('Its name for people.'),
      description: text('Its description.'),
      clusterName: required(text('Its cluster.')),
      resourceQuota: object('Bounds of all namespaces.', { limit, usedLimit: limit }),
      namespaceDefaultResourceQuota: object('Bounds of a namespace.', { limit }),
      containerDefaultResourceLimit: containerLimit,
    }),
  ),
});
export type Project = Static<typeof project>;

const projectRoleTemplateBinding = object('A ProjectRoleTemplateBinding.', {
  projectName: required(text('The project, as <cluster>:<project>.')),
  roleTemplateName: required(text('The RoleTemplate.')),
  userName: text('A user.'),
  userPrincipalName: text('A user, as its provider names it.'),
  groupName: text('A group.'),
  groupPrincipalName: text('A group, as its provider names it.'),
  serviceAccount: text('An account, as <namespace>:<name>.'),
});
export type ProjectRoleTemplateBinding = Static<typeof projectRoleTemplateBinding>;

const names = (description: string) => list(description, text('A name.'));
const roleTemplate = object('A RoleTemplate.', {
  displayName: text('Its name for people.'),
  description: text('Its description.'),
  context: text('`project` or `cluster`.'),
  external: boolean('Whether the ClusterRole of its name has the rules.'),
  rules: list(
    'Its rules.',
    object('A rule.', {
      apiGroups: names('Groups.'),
      resources: names('Resources.'),
      resourceNames: names('Names of objects.'),
      verbs: names('Verbs.'),
      nonResourceURLs: names('Paths.'),
    }),
  ),
  roleTemplateNames: names('RoleTemplates that it includes.'),
});
export type RoleTemplate = Static<typeof roleTemplate>;

/** The kinds that the translation reads. */
export const rancherKinds: readonly SystemKind[] = [
  { group: GROUP, kind: 'Project', schema: project },
  { group: GROUP, kind: 'ProjectRoleTemplateBinding', schema: projectRoleTemplateBinding },
  { group: GROUP, kind: 'RoleTemplate', schema: roleTemplate },
  {
    group: GROUP,
    kind: 'ClusterRoleTemplateBinding',
    schema: object('A ClusterRoleTemplateBinding.', {}),
  },
];
