import { resolveRequiredModes } from '../install-objects/install-target.ts';

/** The namespaces that an operator watches, in the terms of an OperatorGroup. */
export interface RequestedInstallMode {
  /** `AllNamespaces`, `OwnNamespace`, `SingleNamespace`, `MultiNamespace`. */
  readonly mode: string;
  /** For OwnNamespace the namespace itself; for AllNamespaces empty. */
  readonly targets: readonly string[];
}

/** The relevant facts of an existing OperatorGroup. */
export interface GivenGroup {
  readonly name: string;
  readonly targetNamespaces: readonly string[];
  /** True if labels select its namespaces. */
  readonly isSelecting: boolean;
}

/** The OperatorGroup to use or create, or the reason why there is none. */
type GroupChoice =
  | { readonly existing: string }
  | { readonly make: RequestedInstallMode }
  | { readonly refusal: string };

interface GroupRequest {
  readonly namespace: string;
  /** The modes that the bundle supports. */
  readonly supported: readonly string[];
  readonly groups: readonly GivenGroup[];
  /** @default - the mode of the existing group, or else the wider of AllNamespaces and OwnNamespace */
  readonly wanted: RequestedInstallMode | undefined;
}

/** Parses `SingleNamespace=shop`, `MultiNamespace=a,b`, `AllNamespaces`; undefined for other texts. */
export function readMode(text: string, namespace: string): RequestedInstallMode | undefined {
  const [, mode = '', list = ''] = /^(\w+)(?:=(.+))?$/.exec(text) ?? [];
  const targets = list.split(',').filter((one) => one !== '');
  if (mode === 'AllNamespaces' && targets.length === 0) return { mode, targets };
  if (mode === 'OwnNamespace' && targets.length === 0) return { mode, targets: [namespace] };
  if (mode === 'SingleNamespace' && targets.length === 1) return { mode, targets };
  return mode === 'MultiNamespace' && targets.length > 1 ? { mode, targets } : undefined;
}

/**
 * Returns the modes that OLM requires a bundle to support for these namespaces. If the operator's
 * own namespace is one of several, there are two.
 */
function requiredModes(targets: readonly string[], namespace: string): readonly string[] {
  return resolveRequiredModes(namespace, targets.includes('') ? undefined : targets);
}

/** Chooses the OperatorGroup for a bundle. A namespace may have only one, and it must fit. */
export function chooseGroup(request: GroupRequest): GroupChoice {
  const { namespace, supported, groups, wanted } = request;
  const modes = supported.join(', ') || 'none';
  const required = wanted ? [wanted.mode, ...requiredModes(wanted.targets, namespace)] : [];
  const unsupported = required.find((mode) => !supported.includes(mode));
  if (unsupported !== undefined) {
    return {
      refusal: `--install-mode must be one that the bundle supports (${modes}), got ${unsupported}`,
    };
  }
  const [given, ...more] = groups;
  if (given && more.length > 0) {
    const names = groups.map(({ name }) => name).join(', ');
    return {
      refusal: `namespace ${namespace} must have at most one OperatorGroup, got ${names}: with several OLM installs nothing in it`,
    };
  }
  if (given) return fitting(given, request, modes);
  if (wanted) return { make: wanted };
  const widest = ['AllNamespaces', 'OwnNamespace'].find((mode) => supported.includes(mode));
  if (widest !== undefined) return { make: readMode(widest, namespace)! };
  return {
    refusal: `--install-mode must be given, with namespaces, for a bundle that supports ${modes}`,
  };
}

function fitting(
  { name, targetNamespaces, isSelecting }: GivenGroup,
  { namespace, supported, wanted }: GroupRequest,
  modes: string,
): GroupChoice {
  const where = `OperatorGroup ${namespace}/${name}`;
  if (isSelecting) {
    // Its namespaces change with labels, so OLM decides whether the bundle fits.
    if (!wanted) return { existing: name };
    return {
      refusal: `${where} must be one of ${wanted.mode}, got one that selects namespaces by labels`,
    };
  }
  const required = requiredModes(targetNamespaces, namespace);
  const named = targetNamespaces.length > 0 ? ` (${targetNamespaces.join(', ')})` : '';
  const has = `${required.join(' and ')}${named}`;
  if (!required.every((mode) => supported.includes(mode))) {
    return {
      refusal: `${where} must be of a mode that the bundle supports (${modes}), got ${has}: give another --namespace`,
    };
  }
  const isOther =
    wanted !== undefined && wanted.targets.toSorted().join() !== targetNamespaces.toSorted().join();
  if (!isOther) return { existing: name };
  const want = `${wanted.mode}${wanted.targets.length > 0 ? ` (${wanted.targets.join(', ')})` : ''}`;
  return { refusal: `${where} must be of ${want}, got ${has}: give another --namespace` };
}
