import type { KubeObject } from '../../kube/object.ts';
import type { ApiError } from '../../runtime/errors/api-error.ts';

/** k8s.io/kubernetes pkg/registry/rbac/validation, ConfirmNoEscalation */
const ESCALATES = 'is attempting to grant RBAC permissions not currently held';

/**
 * The ClusterRole of a binding that the operator may not bind, where that is why it was refused: a class names it
 * since the operator's role was rendered. Without `bind` the API server looks whether the role holds more than the
 * operator, and says of one that is not there that it is not found.
 */
export function unboundRole(object: KubeObject, error: ApiError): string | undefined {
  const { kind, roleRef } = object as KubeObject & {
    readonly roleRef?: { readonly kind: string; readonly name: string };
  };
  if (kind !== 'RoleBinding' || roleRef?.kind !== 'ClusterRole') return undefined;
  // It says that the RoleBinding of this name is not found, and means the role.
  const isMissing = error.isNotFound && error.details.name === roleRef.name;
  const isMore = error.isForbidden && error.message.includes(ESCALATES);
  return isMissing || isMore ? roleRef.name : undefined;
}
