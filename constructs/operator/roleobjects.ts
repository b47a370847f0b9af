import { rolesOf, type AccessRule, type PolicyRule } from '../../kube/access.ts';
import type { KubeObject } from '../../kube/object.ts';

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
 * for what holds everywhere, a Role in each namespace that access is held to. Each by its id as a
 * construct.
 * @throws {Error} where a rule would grant more than it says, or nothing
 */
export function roleObjects(props: RoleObjectsProps): Readonly<Record<string, KubeObject>> {
  const { cluster, namespaces } = rolesOf(props.access);
  return {
    ...(cluster.length > 0 && granted(props, cluster)),
    ...Object.assign({}, ...[...namespaces].map(([one, rules]) => granted(props, rules, one))),
  };
}

/** A role and its binding: of the cluster, or in a namespace. */
function granted(
  { name, namespace: home }: RoleObjectsProps,
  rules: readonly PolicyRule[],
  namespace?: string,
): Record<string, KubeObject> {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const id = namespace === undefined ? 'cluster-role' : `role-${namespace}`;
  const own = { apiVersion: `${GROUP}/v1`, metadata: { name, ...(namespace && { namespace }) } };
  return {
    [id]: { ...own, kind, rules },
    [`${id}-binding`]: {
      ...own,
      kind: `${kind}Binding`,
      roleRef: { apiGroup: GROUP, kind, name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: home }],
    },
  };
}
