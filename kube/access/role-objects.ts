import type { KubeObject } from '../object.ts';
import { rolesOf, type PolicyRule } from './roles.ts';
import type { AccessRule } from './rule.ts';

/** The account that gets the roles, and what they are called. */
export interface RoleObjectsProps {
  /** Of the ServiceAccount, and of each role and binding. */
  readonly name: string;
  /** Of the ServiceAccount. */
  readonly namespace: string;
  readonly access: readonly AccessRule[];
}

const GROUP = 'rbac.authorization.k8s.io';

/**
 * The roles that grant a ServiceAccount exactly what is declared, with their bindings: a ClusterRole
 * for what holds everywhere, a Role in each namespace that access is held to. Each under a key that is
 * stable: `cluster-role`, `cluster-role-binding`, `role-<namespace>`, `rolebinding-<namespace>`.
 *
 * @example
 * ```ts
 * import { allow, core, roleObjects } from 'tenantry/runtime';
 *
 * const access = [allow(core.Pod, 'get').in('shop')];
 * const objects = roleObjects({ name: 'keeper', namespace: 'ops', access });
 * console.log(Object.keys(objects)); // [ 'role-shop', 'rolebinding-shop' ]
 * ```
 *
 * @throws {Error} where a rule would grant more than it says, or nothing
 */
export function roleObjects(props: RoleObjectsProps): Readonly<Record<string, KubeObject>> {
  const { cluster, namespaces } = rolesOf(props.access);
  return {
    ...(cluster.length > 0 && buildRoleAndBinding(props, cluster)),
    ...Object.assign(
      {},
      ...[...namespaces].map(([one, rules]) => buildRoleAndBinding(props, rules, one)),
    ),
  };
}

/** A role and its binding: of the cluster, or in a namespace. */
function buildRoleAndBinding(
  { name, namespace: home }: RoleObjectsProps,
  rules: readonly PolicyRule[],
  namespace?: string,
): Record<string, KubeObject> {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const [role, binding] =
    namespace === undefined
      ? ['cluster-role', 'cluster-role-binding']
      : [`role-${namespace}`, `rolebinding-${namespace}`];
  const own = { apiVersion: `${GROUP}/v1`, metadata: { name, ...(namespace && { namespace }) } };
  return {
    [role]: { ...own, kind, rules },
    [binding]: {
      ...own,
      kind: `${kind}Binding`,
      roleRef: { apiGroup: GROUP, kind, name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: home }],
    },
  };
}
