import { rolesOf, type AccessRule, type Verb } from '../../kube/access.ts';
import { formatCanonicalJson } from '../../kube/equality.ts';
import { isMapping } from '../../kube/mapping.ts';
import type { KubeObject } from '../../kube/object.ts';
import { installedResource, type InstalledResource } from './resources.ts';

/** A rule of a role, with all fields of RBAC. */
export type RoleRule = Readonly<Record<string, unknown>>;

/** The rights that the installer of a bundle needs. */
export interface InstallerRights {
  /** The rights to manage the objects: those of a ClusterRole, and those of a Role in the namespace. */
  readonly manages: { readonly cluster: readonly object[]; readonly namespace: readonly object[] };
  /**
   * The rights in the roles of the bundle, because an API server lets nobody create a role with rights that they lack.
   * A grant by role names would work only for roles that exist already.
   */
  readonly grants: {
    readonly cluster: readonly RoleRule[];
    readonly namespace: readonly RoleRule[];
  };
}

const RBAC = 'rbac.authorization.k8s.io';

/** The verbs on a named object. */
const NAMED: readonly Verb[] = ['get', 'update', 'patch', 'delete'];

/**
 * Computes the least rights with which OLM v1 installs these objects, upgrades to them from older ones, and removes
 * them. RBAC cannot limit `create`, `list` and `watch` to names, and OLM watches the kinds of the objects in the whole
 * cluster.
 *
 * Source: https://operator-framework.github.io/operator-controller/howto/derive-service-account/ and operator-controller v1.10, internal/operator-controller/authorization
 *
 * @param extension the name of the ClusterExtension
 * @param objects the objects to install, in one namespace and cluster-scoped
 * @param older the objects before an upgrade
 */
export function computeInstallerRights(
  extension: string,
  namespace: string,
  objects: readonly KubeObject[],
  older: readonly KubeObject[] = [],
): InstallerRights {
  const made = objects.flatMap((one) => accessTo(one, namespace, [...NAMED, 'create']));
  const left = older.flatMap((one) => accessTo(one, namespace, NAMED));
  const { cluster, namespaces } = rolesOf([
    {
      group: 'olm.operatorframework.io',
      resource: 'clusterextensions/finalizers',
      verbs: ['update'],
      resourceNames: [extension],
    },
    ...made,
    ...left,
    ...boundOutside(objects, namespace),
  ]);
  return {
    manages: { cluster, namespace: namespaces.get(namespace) ?? [] },
    grants: {
      cluster: once(objects.flatMap((one) => rulesOf(one, 'ClusterRole'))),
      namespace: once(objects.flatMap((one) => rulesOf(one, 'Role'))),
    },
  };
}

function accessTo(
  { apiVersion, kind, metadata: { name } }: KubeObject,
  namespace: string,
  verbs: readonly Verb[],
): AccessRule[] {
  const found = installedResource(apiVersion, kind);
  if (!found) return [];
  const { group, resource } = found;
  const where = buildNamespaceScope(found, namespace);
  const named = verbs.filter((verb) => verb !== 'create');
  return [
    { group, resource, verbs: ['list', 'watch'] },
    { group, resource, ...where, verbs: named, resourceNames: [name] },
    ...(verbs.includes('create')
      ? [{ group, resource, ...where, verbs: ['create' as const] }]
      : []),
  ];
}

function buildNamespaceScope(
  { isNamespaced }: InstalledResource,
  namespace: string,
): { readonly namespaces?: readonly string[] } {
  return isNamespaced ? { namespaces: [namespace] } : {};
}

/**
 * Returns the rights to bind roles that the bundle does not contain: a binding to a role requires the right to bind it.
 */
function boundOutside(objects: readonly KubeObject[], namespace: string): AccessRule[] {
  const brought = new Set(objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`));
  return objects.flatMap(({ kind, roleRef }): AccessRule[] => {
    if (!/^(Cluster)?RoleBinding$/.test(kind) || !isMapping(roleRef)) return [];
    const { kind: role, name } = roleRef;
    if (typeof name !== 'string' || name === '' || brought.has(`${String(role)} ${name}`)) {
      return [];
    }
    const resource = role === 'ClusterRole' ? 'clusterroles' : 'roles';
    const where = kind === 'RoleBinding' ? { namespaces: [namespace] } : {};
    return [{ group: RBAC, resource, ...where, verbs: ['bind'], resourceNames: [name] }];
  });
}

function rulesOf({ kind, rules }: KubeObject, role: string): RoleRule[] {
  return kind === role && Array.isArray(rules) ? rules.filter(isMapping) : [];
}

/** Removes duplicates and keeps the order. */
function once(rules: readonly RoleRule[]): RoleRule[] {
  return [...new Map(rules.map((rule) => [formatCanonicalJson(rule), rule])).values()];
}
