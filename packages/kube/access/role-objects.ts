import type { KubeObject } from '../object.ts';
import { rolesOf, type PolicyRule } from './roles.ts';
import type { AccessRule } from './rule.ts';

/** The account that gets the roles, and their name. */
export interface RoleObjectsProps {
  /** The name of the ServiceAccount, and of each role and binding. */
  readonly name: string;
  /** The namespace of the ServiceAccount. */
  readonly namespace: string;
  readonly access: readonly AccessRule[];
}

const GROUP = 'rbac.authorization.k8s.io';

/**
 * Builds the roles that grant a ServiceAccount exactly what is declared, with their bindings: a ClusterRole for access
 * everywhere, and a Role in each namespace to which access is limited. Each object has a stable key: `cluster-role`,
 * `cluster-role-binding`, `role-<namespace>`, `rolebinding-<namespace>`.
 *
 * @example
 * ```ts
 * import { allow, core, roleObjects } from '@tenantry/runtime';
 *
 * const access = [allow(core.Pod, 'get').in('shop')];
 * const objects = roleObjects({ name: 'keeper', namespace: 'ops', access });
 * console.log(Object.keys(objects)); // [ 'role-shop', 'rolebinding-shop' ]
 * ```
 *
 * @throws {Error} when a rule would grant nothing, or more than it declares
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

/** Builds a role and its binding: of the cluster, or in a namespace. */
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
