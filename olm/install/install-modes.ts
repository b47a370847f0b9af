import { formatList, show } from '../../kube/problem.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { InstallModeType } from '../bundle/csv/types.ts';

/** The widest first. */
const MODES: readonly InstallModeType[] = [
  'AllNamespaces',
  'OwnNamespace',
  'SingleNamespace',
  'MultiNamespace',
];

/** The install modes that a bundle supports, the widest first. */
export function supportedModes({ csv }: Bundle): ReadonlySet<InstallModeType> {
  const { installModes = [] } = csv?.value.spec ?? {};
  // OLM takes the last of those that repeat each other.
  const supportByType = new Map(
    installModes.map(({ type, supported = false }) => [type, supported]),
  );
  return new Set(MODES.filter((mode) => supportByType.get(mode)));
}

/**
 * What an OperatorGroup asks of the operators of its namespace.
 * @param namespace its own
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
 * What is wrong with the namespaces of an OperatorGroup for a bundle: `must ..., got ...`; undefined where nothing is.
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
