import { defineRules } from './rule.ts';

/** The rules for access and roles. */
export const accessRules = defineRules([
  {
    id: 'system-subject',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The name of a user or a group begins with `system:`, which is reserved for Kubernetes. Use a name of your identity provider, or `serviceAccounts` for a service account.',
  },
  {
    id: 'subject-name',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The name of a user or a group has invisible characters or typographic quotes. Type the name again.',
  },
  {
    id: 'foreign-service-account',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      "The service account is in a namespace that is not the tenant's, and the class does not allow it. Use one of the tenant's namespaces, or add it to `allow.serviceAccounts` of the class.",
  },
  {
    id: 'cluster-role',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The class does not allow the ClusterRole. Use one that it allows, or add it to `allow.clusterRoles`; `cluster-admin` and `system:*` are never allowed.',
  },
  {
    id: 'break-glass-absent',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Somebody may request a ClusterRole, but nobody would grant it: the operator makes and ends such grants under drift policy `Heal` only. Set `driftPolicy`, or remove the entry of `access.breakGlass`.',
  },
  {
    id: 'escalation',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'A role of the tenant contains `bind`, `escalate` or `impersonate`, or writes objects of the platform. Remove the verb or the resource.',
  },
  {
    id: 'unknown-resource',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'No API group of the rule has the resource, so the rule allows nothing. Correct the plural of the resource or the group.',
  },
  {
    id: 'resource-names',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      '`resourceNames` disables `create` and `deletecollection`, and restricts `list` and `watch` to the field selector `metadata.name`. Move these verbs to a rule without `resourceNames`.',
  },
  {
    id: 'role-conflict',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Two roles of a namespace have the same name and different rules. Rename one, or give both the same rules.',
  },
  {
    id: 'binding-conflict',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'Two roles are bound under the same `bindingName`. Give each its own.',
  },
  {
    id: 'ends-soon',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'What the entry gives ends within 30 days. Extend `until`, or remove the entry after that day.',
  },
  {
    id: 'ended',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'What the entry gives has ended, so the entry is not rendered. Remove it, or extend `until`. `tenantry check` reports it as an error.',
  },
  {
    id: 'end-unknown',
    severity: 'error',
    place: 'schema',
    dependsOnClass: false,
    description:
      'The app in TypeScript renders without a date, so whether the entry has ended is not known. Pass a date to `resolvePlatform`.',
  },
  {
    id: 'ending-name',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Two layers have a network rule of the same name, and one of them ends. Its end would change the other. Give each its own name.',
  },
]);
