import { errorAt } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { show } from '@tenantry/kube/problem';
import { buildRoles, type AccessRule, type Verb } from '@tenantry/kube/access';
import { formatCanonicalJson } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';
import type { ClusterExtensionSpec } from '../api/types.ts';
import type { Bundle, BundleFinding } from '../bundle/bundle.ts';
import { clusterExtension } from '../api/cluster-extension.ts';
import {
  readPackageName,
  checkInstallTarget,
  suggestedNamespace,
  validateInstallObject,
  buildNamespace,
  type InstallObjects,
} from './install-target.ts';
import { checkExtensionSupport } from './extension-findings.ts';
import {
  buildInstalledObjects,
  installedResource,
  type InstalledResource,
} from './installed-objects.ts';

/** Options of an installation by OLM v1. */
export interface ExtensionInstall {
  /** The name of the ClusterExtension. @default - that of the package */
  readonly name?: string;
  /** The namespace of the operator. @default - the one that the bundle suggests, or else the name of the package */
  readonly namespace?: string;
  /** Whether the Namespace is among the objects. @default true */
  readonly makesNamespace?: boolean;
  /** The channels from which it may be installed. @default - any */
  readonly channels?: readonly string[];
  /**
   * The versions that may be installed. The account may install those of `bundle` and `upgradesFrom`, and no other.
   * @default - that of the bundle
   */
  readonly version?: string;
  /**
   * Who installs it. `Installer`: a ServiceAccount that may install, upgrade and remove this bundle and nothing else,
   * as OLM v1.0 to v1.10 require. `None`: OLM itself, which ignores accounts from v1.11 on.
   * @default 'Installer'
   */
  readonly account?: 'Installer' | 'None';
  /** Labels of the ClusterCatalogs to install from. @default - all */
  readonly catalogs?: Readonly<Record<string, string>>;
}

const RBAC = 'rbac.authorization.k8s.io';

/**
 * Builds the Namespace, the ServiceAccount of the installer, its rights, and the ClusterExtension with which OLM v1
 * installs a bundle.
 * @param older bundles that may be installed before an upgrade to this one: their objects may be removed
 */
export function buildExtensionObjects(
  bundle: Bundle,
  props: ExtensionInstall = {},
  older: readonly Bundle[] = [],
): InstallObjects {
  const { makesNamespace = true, channels, account = 'Installer', catalogs } = props;
  const packageName = readPackageName(bundle);
  const { name = packageName, namespace = suggestedNamespace(bundle) ?? packageName } = props;
  const found = [
    ...checkInstallTarget(bundle, namespace),
    ...checkExtensionSupport(bundle),
    ...older.flatMap((one) => olderFindings(one, packageName)),
  ];
  const version = props.version ?? bundle.csv?.value.spec?.version;
  const spec: ClusterExtensionSpec = {
    namespace,
    ...(account === 'Installer' && { serviceAccount: { name: `${name}-installer` } }),
    source: {
      sourceType: 'Catalog',
      catalog: {
        packageName,
        ...(version !== undefined && { version }),
        ...(channels && { channels }),
        ...(catalogs && { selector: { matchLabels: catalogs } }),
      },
    },
  };
  const object = {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterExtension',
    metadata: { name },
    spec,
  };
  const isRefused = found.some(({ severity }) => severity === 'error');
  return {
    objects: [
      ...(makesNamespace ? [buildNamespace(namespace)] : []),
      ...(account === 'Installer' && !isRefused ? installer(name, namespace, bundle, older) : []),
      object,
    ],
    findings: [...found, ...validateInstallObject(clusterExtension, object)],
  };
}

/** Validates a bundle to upgrade from: it must be the same operator, and its objects must be removable. */
function olderFindings(older: Bundle, packageName: string): BundleFinding[] {
  const found = checkExtensionSupport(older).filter(({ severity }) => severity === 'error');
  const name = readPackageName(older);
  if (name === packageName) return found;
  const message = `must be of the package ${show(packageName)}, got ${show(name)}`;
  return [...found, errorAt(['upgradesFrom'], message, 'olm-package')];
}

/**
 * Builds the installer's account and its roles: what it does with objects, and the rights that it grants to the
 * operator.
 */
function installer(
  extension: string,
  namespace: string,
  bundle: Bundle,
  older: readonly Bundle[],
): KubeObject[] {
  const name = `${extension}-installer`;
  const { manages, grants } = computeInstallerRights(
    extension,
    namespace,
    buildInstalledObjects(bundle, namespace),
    older.flatMap((one) => buildInstalledObjects(one, namespace)),
  );
  const account = { kind: 'ServiceAccount', name, namespace };
  const bound = (role: string, rules: readonly object[], within?: string): KubeObject[] => {
    if (rules.length === 0) return [];
    const kind = within === undefined ? 'ClusterRole' : 'Role';
    const metadata = { name: role, ...(within !== undefined && { namespace: within }) };
    const apiVersion = `${RBAC}/v1`;
    return [
      { apiVersion, kind, metadata, rules },
      {
        apiVersion,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: RBAC, kind, name: role },
        subjects: [account],
      },
    ];
  };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    ...bound(name, manages.cluster),
    ...bound(name, manages.namespace, namespace),
    ...bound(`${name}-grants`, grants.cluster),
    ...bound(`${name}-grants`, grants.namespace, namespace),
  ];
}

/** A rule of a role, with all fields of RBAC. */
type RoleRule = Readonly<Record<string, unknown>>;

/** The rights that the installer of a bundle needs. */
interface InstallerRights {
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
  const { cluster, namespaces } = buildRoles([
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
      cluster: once(objects.flatMap((one) => readRules(one, 'ClusterRole'))),
      namespace: once(objects.flatMap((one) => readRules(one, 'Role'))),
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

function readRules({ kind, rules }: KubeObject, role: string): RoleRule[] {
  return kind === role && Array.isArray(rules) ? rules.filter(isMapping) : [];
}

/** Removes duplicates and keeps the order. */
function once(rules: readonly RoleRule[]): RoleRule[] {
  return [...new Map(rules.map((rule) => [formatCanonicalJson(rule), rule])).values()];
}
