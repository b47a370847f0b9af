import { formatList, show } from '@tenantry/kube/problem';
import type { Bundle } from '../bundle/bundle.ts';
import type { InstallModeType } from '../bundle/csv/types.ts';

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
