import { errorAt } from '../../kube/finding.ts';
import type { KubeObject } from '../../kube/object.ts';
import { show } from '../../kube/problem.ts';
import type { ClusterExtensionSpec } from '../api/types.ts';
import type { Bundle, BundleFinding } from '../bundle/bundle.ts';
import { clusterExtension } from '../api/cluster-extension.ts';
import { packageOf, checkInstallTarget, suggestedNamespace } from './bundle-names.ts';
import { checkExtensionSupport } from './extension-findings.ts';
import { buildInstalledObjects } from './installed-objects.ts';
import { computeInstallerRights } from './installer-rights.ts';
import { validateInstallObject, buildNamespace, type InstallObjects } from './install-objects.ts';

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
  const packageName = packageOf(bundle);
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
  const name = packageOf(older);
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
