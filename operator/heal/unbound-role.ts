import type { KubeObject } from '../../kube/object.ts';
import type { ApiError } from '../../runtime/errors/api-error.ts';

/** k8s.io/kubernetes pkg/registry/rbac/validation, ConfirmNoEscalation */
const ESCALATES = 'is attempting to grant RBAC permissions not currently held';

/**
 * Returns the ClusterRole that the operator may not bind, if that is why a binding was refused. A class has allowed the
 * role since the operator's role was rendered. Without `bind`, the API server checks whether the role grants more than
 * the operator holds, and reports a missing role as not found.
 */
export function unboundRole(object: KubeObject, error: ApiError): string | undefined {
  const { kind, roleRef } = object as KubeObject & {
    readonly roleRef?: { readonly kind: string; readonly name: string };
  };
  if (kind !== 'RoleBinding' || roleRef?.kind !== 'ClusterRole') return undefined;
  // The error reports the RoleBinding's name as not found when the role is meant.
  const isMissing = error.isNotFound && error.details.name === roleRef.name;
  const isMore = error.isForbidden && error.message.includes(ESCALATES);
  return isMissing || isMore ? roleRef.name : undefined;
}
