import { defineRules } from './rule.ts';

/** The rules for access and roles. */
export const accessRules = defineRules([
  {
    id: 'system-subject',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'users and groups do not begin with `system:`',
  },
  {
    id: 'subject-name',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'names of users and groups have visible characters only',
  },
  {
    id: 'foreign-service-account',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: "a service account is in the tenant's own namespaces, or the class allows it",
  },
  {
    id: 'cluster-role',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the class allows the ClusterRole; no class allows `cluster-admin` and `system:*`',
  },
  {
    id: 'escalation',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      "a tenant's own role does not contain `bind`, `escalate` or `impersonate`, and does not write the platform's objects",
  },
  {
    id: 'unknown-resource',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a resource that a rule names with permission of the class exists in its groups; otherwise the rule allows nothing',
  },
  {
    id: 'resource-names',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'no rule of a role combines `resourceNames` with `create` or `deletecollection`, which it disables. Nor does it combine them with `list` or `watch`, which it restricts to the field selector `metadata.name`',
  },
  {
    id: 'role-conflict',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'roles with the same name have the same rules',
  },
  {
    id: 'binding-conflict',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: "a binding's name is used for one role only",
  },
]);
