import { admitStrictly } from '@tenantry/crd/admit-object';
import type { Definition } from '@tenantry/crd/definition';
import { prefixFinding, errorAt, type Finding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { A_DNS_LABEL, isDnsLabel } from '@tenantry/kube/names';
import { show, type Path, formatList } from '@tenantry/kube/problem';
import type { BundleFinding, Bundle } from '../bundle/bundle.ts';
import type { InstallModeType } from '../bundle/csv/types.ts';

/** The objects with which OLM installs a bundle, in the order of their application, and the findings. */
export interface InstallObjects {
  readonly objects: readonly KubeObject[];
  readonly findings: readonly BundleFinding[];
}

/** Builds the Namespace of an operator. */
export function buildNamespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** Validates an object of one of OLM's kinds as an API server does. */
export function validateInstallObject(definition: Definition, object: KubeObject): Finding[] {
  const { errors } = admitStrictly(definition, object);
  return errors.map((finding) => prefixFinding([definition.kind], finding));
}

const PACKAGE = 'operators.operatorframework.io.bundle.package.v1';
const NAMESPACE = 'operatorframework.io/suggested-namespace';

/** Returns the package of a bundle; empty if it declares none. */
export function readPackageName({ annotations: { values } }: Bundle): string {
  return values[PACKAGE] ?? '';
}

/** Returns the namespace that an operator suggests for itself. */
export function suggestedNamespace({ csv }: Bundle): string | undefined {
  return csv?.value.metadata?.annotations?.[NAMESPACE];
}

/** Validates the names for an installation: the package and the namespace. */
export function checkInstallTarget(bundle: Bundle, namespace: string): Finding[] {
  if (readPackageName(bundle) === '') {
    const message = `must declare its package (${PACKAGE}), got none`;
    return [errorAt([], message, 'olm-package')];
  }
  return checkNamespaceName(namespace, ['namespace']);
}

/** Validates the name of a namespace. */
export function checkNamespaceName(name: string, path: Path): Finding[] {
  if (isDnsLabel(name)) return [];
  return [errorAt(path, `must be ${A_DNS_LABEL}, got ${show(name)}`, 'dns-label')];
}

/** The install modes, the widest first. */
const MODES: readonly InstallModeType[] = [
  'AllNamespaces',
  'OwnNamespace',
  'SingleNamespace',
  'MultiNamespace',
];

/** Returns the install modes that a bundle supports, the widest first. */
export function supportedModes({ csv }: Bundle): ReadonlySet<InstallModeType> {
  const { installModes = [] } = csv?.value.spec ?? {};
  // Of repeated modes, OLM uses the last.
  const supportByType = new Map(
    installModes.map(({ type, supported = false }) => [type, supported]),
  );
  return new Set(MODES.filter((mode) => supportByType.get(mode)));
}

/**
 * Returns the install modes that an operator needs for an OperatorGroup of its namespace.
 * @param namespace the namespace of the OperatorGroup
 * @param targets the namespaces that it selects; undefined for all
 */
export function resolveRequiredModes(
  namespace: string,
  targets: readonly string[] | undefined,
): InstallModeType[] {
  const [first, ...more] = new Set(targets);
  if (first === undefined) return ['AllNamespaces'];
  const own = targets?.includes(namespace) ?? false;
  if (more.length === 0) return [own ? 'OwnNamespace' : 'SingleNamespace'];
  return own ? ['MultiNamespace', 'OwnNamespace'] : ['MultiNamespace'];
}

/**
 * Validates the namespaces of an OperatorGroup for a bundle. Returns a message `must ..., got ...`; undefined if they
 * are valid.
 * Source: operator-framework/api, v1alpha1 InstallModeSet.Supports
 */
export function checkTargetNamespaces(
  supported: ReadonlySet<InstallModeType>,
  namespace: string,
  targets: readonly string[] | undefined,
): string | undefined {
  const missing = resolveRequiredModes(namespace, targets).filter((mode) => !supported.has(mode));
  if (missing.length === 0) return undefined;
  const got = targets === undefined || targets.length === 0 ? 'all' : formatList(targets);
  const known = supported.size === 0 ? 'none' : formatList([...supported]);
  return `must be namespaces that the operator can watch (it supports ${known}), got ${got} in the OperatorGroup of ${show(namespace)}`;
}
