import type { KubeObject } from '../../../kube/object.ts';
import { addTenantryLabels } from '../../own-object.ts';
import type { ApplyRights } from './rights.ts';

/** An account of a cluster. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
}

const GROUP = 'rbac.authorization.k8s.io';

/**
 * The name of the role with what it does, and of its binding. The name of the role with what it grants to others has
 * the suffix `-grants`.
 */
const ARGOCD_ROLE = 'tenantry-argocd';

/**
 * Builds two ClusterRoles with their bindings, so that a reader sees what it uses itself, and what it only grants to
 * others.
 */
export function buildApplyRoles(
  { manages, grants }: ApplyRights,
  accounts: readonly Account[],
): KubeObject[] {
  return [
    ...buildRoleAndBinding(ARGOCD_ROLE, manages, accounts),
    ...(grants.length > 0 ? buildRoleAndBinding(`${ARGOCD_ROLE}-grants`, grants, accounts) : []),
  ];
}

function buildRoleAndBinding(
  name: string,
  rules: readonly object[],
  accounts: readonly Account[],
): [role: KubeObject, binding: KubeObject] {
  const apiVersion = `${GROUP}/v1`;
  const subjects = accounts.map((one) => ({ kind: 'ServiceAccount', ...one }));
  return [
    addTenantryLabels({ apiVersion, kind: 'ClusterRole', metadata: { name }, rules }),
    addTenantryLabels({
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name },
      subjects,
    }),
  ];
}
