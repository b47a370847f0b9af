import { isMapping } from '../../kube/mapping.ts';
import type { KubeObject } from '../../kube/object.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** Returns the content of a Role. */
export function roleFields({ rules }: KubeObject): Readonly<Record<string, unknown>> {
  return { rules };
}

/**
 * Returns the content of a RoleBinding, with the API groups that the API server fills in.
 * Source: https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/rbac/v1/defaults.go
 */
export function roleBindingFields({
  roleRef,
  subjects,
}: KubeObject): Readonly<Record<string, unknown>> {
  return {
    roleRef: isMapping(roleRef) ? { ...roleRef, apiGroup: roleRef['apiGroup'] || GROUP } : roleRef,
    subjects: Array.isArray(subjects) ? subjects.map(withGroup) : subjects,
  };
}

function withGroup(subject: unknown): unknown {
  if (!isMapping(subject)) return subject;
  const { apiGroup, ...rest } = subject;
  if (subject['kind'] === 'ServiceAccount') return rest;
  return { ...rest, apiGroup: apiGroup || GROUP };
}
