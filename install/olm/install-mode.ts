import { resolveRequiredModes } from '../../olm/install/install-modes.ts';

/** Which namespaces an operator is to watch, as an OperatorGroup says it. */
export interface RequestedInstallMode {
  /** `AllNamespaces`, `OwnNamespace`, `SingleNamespace`, `MultiNamespace`. */
  readonly mode: string;
  /** Of OwnNamespace the namespace itself; of AllNamespaces none. */
  readonly targets: readonly string[];
}

/** An OperatorGroup that there is, as far as it matters. */
export interface GivenGroup {
  readonly name: string;
  readonly targetNamespaces: readonly string[];
  /** Its namespaces are selected by labels. */
  readonly isSelecting: boolean;
}

/** The OperatorGroup that is used or made, or why there is none. */
export type GroupChoice =
  | { readonly existing: string }
  | { readonly make: RequestedInstallMode }
  | { readonly refusal: string };

export interface GroupQuestion {
  readonly namespace: string;
  /** The modes that the bundle supports. */
  readonly supported: readonly string[];
  readonly groups: readonly GivenGroup[];
  /** @default - that of the group that there is, or else the widest of AllNamespaces and OwnNamespace */
  readonly wanted: RequestedInstallMode | undefined;
}

/** Reads `SingleNamespace=shop`, `MultiNamespace=a,b`, `AllNamespaces`; undefined where it is none. */
export function readMode(text: string, namespace: string): RequestedInstallMode | undefined {
  const [, mode = '', list = ''] = /^(\w+)(?:=(.+))?$/.exec(text) ?? [];
  const targets = list.split(',').filter((one) => one !== '');
  if (mode === 'AllNamespaces' && targets.length === 0) return { mode, targets };
  if (mode === 'OwnNamespace' && targets.length === 0) return { mode, targets: [namespace] };
  if (mode === 'SingleNamespace' && targets.length === 1) return { mode, targets };
  return mode === 'MultiNamespace' && targets.length > 1 ? { mode, targets } : undefined;
}

/** The modes that a bundle must support for these namespaces, as OLM asks: of its own among several, two. */
function askedBy(targets: readonly string[], namespace: string): readonly string[] {
  return resolveRequiredModes(namespace, targets.includes('') ? undefined : targets);
}

/** Which OperatorGroup a bundle gets: there may be one a namespace, and it must fit. */
export function chooseGroup(question: GroupQuestion): GroupChoice {
  const { namespace, supported, groups, wanted } = question;
  const modes = supported.join(', ') || 'none';
  const asked = wanted ? [wanted.mode, ...askedBy(wanted.targets, namespace)] : [];
  const unsupported = asked.find((mode) => !supported.includes(mode));
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
  if (given) return fitting(given, question, modes);
  if (wanted) return { make: wanted };
  const widest = ['AllNamespaces', 'OwnNamespace'].find((mode) => supported.includes(mode));
  if (widest !== undefined) return { make: readMode(widest, namespace)! };
  return {
    refusal: `--install-mode must be given, with namespaces, for a bundle that supports ${modes}`,
  };
}

function fitting(
  { name, targetNamespaces, isSelecting }: GivenGroup,
  { namespace, supported, wanted }: GroupQuestion,
  modes: string,
): GroupChoice {
  const where = `OperatorGroup ${namespace}/${name}`;
  if (isSelecting) {
    // Its namespaces change as labels do: OLM says whether the bundle fits.
    if (!wanted) return { existing: name };
    return {
      refusal: `${where} must be one of ${wanted.mode}, got one that selects namespaces by labels`,
    };
  }
  const asked = askedBy(targetNamespaces, namespace);
  const named = targetNamespaces.length > 0 ? ` (${targetNamespaces.join(', ')})` : '';
  const has = `${asked.join(' and ')}${named}`;
  if (!asked.every((mode) => supported.includes(mode))) {
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
