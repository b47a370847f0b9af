import {
  matchesRequirement,
  listRequirements,
  type LabelSelector,
  type Requirement,
} from '../label-selector.ts';

/** Pods by their labels: those that meet all requirements of `all`, and not all of any group in `none`. */
export interface Pods {
  readonly all: readonly Requirement[];
  /** Groups of requirements; a pod that meets every requirement of a group is excluded. */
  readonly none: readonly (readonly Requirement[])[];
}

export const EVERY_POD: Pods = { all: [], none: [] };

type Labels = Readonly<Record<string, string>>;

/** Returns the pods that a selector selects; without one, every pod. */
export function selectPods(selector: LabelSelector | undefined): Pods {
  const all = selector ? conditions(selector) : [];
  return all.length === 0 ? EVERY_POD : { all, none: [] };
}

/** Returns the pods that none of the selectors selects; undefined if there can be none. */
export function excludePods(selectors: readonly LabelSelector[]): Pods | undefined {
  if (selectors.length === 0) return EVERY_POD;
  if (selectors.some((selector) => listRequirements(selector).length === 0)) return undefined;
  return normalizePods({ all: [], none: selectors.map(conditions) });
}

/** Returns the pods in both sets; undefined if there can be none. */
export function intersectPods(some: Pods, others: Pods): Pods | undefined {
  if (some === EVERY_POD) return others;
  if (others === EVERY_POD) return some;
  return normalizePods({ all: [...some.all, ...others.all], none: [...some.none, ...others.none] });
}

/** Whether a pod with these labels is in the set. */
export function matchesPods({ all, none }: Pods, labels: Labels): boolean {
  const meets = (group: readonly Requirement[]): boolean =>
    group.every((condition) => matchesRequirement(condition, labels));
  return meets(all) && !none.some(meets);
}

/** Returns labels of a pod in the set; undefined if there can be none. */
export function findExampleLabels(pods: Pods): Labels | undefined {
  return matchesPods({ all: [], none: pods.none.filter((group) => group.length === 0) }, {})
    ? search(pods, listChoices(pods), {})
    : undefined;
}

/** Formats a set of pods as kubectl writes selectors: `app=web`, `tier in (a, b)`, `!legacy`, `not (app=web)`. */
export function formatPods({ all, none }: Pods): string {
  const groups = none.map((group) => `not (${group.map(formatRequirement).join(', ')})`);
  return [...all.map(formatRequirement), ...groups].join(', ');
}

/** Formats a requirement as kubectl writes it. */
export function formatRequirement({ key, operator, values = [] }: Requirement): string {
  const one = values.length === 1 ? values[0]! : undefined;
  switch (operator) {
    case 'In':
      return one === undefined ? `${key} in (${values.join(', ')})` : `${key}=${one}`;
    case 'NotIn':
      return one === undefined ? `${key} notin (${values.join(', ')})` : `${key}!=${one}`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
  }
}

/** Normalizes a set of pods and drops requirements without effect; undefined if there can be no pod in it. */
function normalizePods({ all, none }: Pods): Pods | undefined {
  const conditions = unique(all);
  const groups = unique(none).filter((group) =>
    findExampleLabels({ all: [...conditions, ...group], none: [] }),
  );
  const pods = { all: conditions, none: groups };
  return findExampleLabels(pods) && pods;
}

function conditions(selector: LabelSelector): Requirement[] {
  const ordered = listRequirements(selector).map(({ values, ...rest }) => ({
    ...rest,
    ...(values && { values: [...new Set(values)].toSorted() }),
  }));
  return unique(ordered);
}

function unique<T>(values: readonly T[]): T[] {
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

/** The possible values of a key; undefined is an absent label. */
type Choice = readonly [key: string, values: ReadonlySet<string | undefined>];

/** Returns all distinct values for each key; keys that every pod must have come first. */
function listChoices({ all, none }: Pods): Choice[] {
  const byKey = new Map<string, Set<string | undefined>>();
  for (const { key, values = [] } of [...all, ...none.flat()]) {
    const known = byKey.get(key) ?? new Set([undefined]);
    for (const value of values) known.add(value);
    byKey.set(key, known);
  }
  for (const known of byKey.values()) known.add(unlike(known));
  return [...byKey];
}

/** Returns a value that differs from all known ones. */
function unlike(known: ReadonlySet<string | undefined>): string {
  let number = 0;
  while (known.has(`any${number || ''}`)) number += 1;
  return `any${number || ''}`;
}

/** Searches labels that include the chosen ones, with one choice for each of the remaining keys. */
function search(
  pods: Pods,
  [next, ...left]: readonly Choice[],
  chosen: Labels,
): Labels | undefined {
  if (!next) return chosen;
  const [key, values] = next;
  const open = new Set(left.map(([other]) => other));
  const isDecided = (condition: Requirement): boolean => !open.has(condition.key);
  const decided = {
    all: pods.all.filter(isDecided),
    none: pods.none.filter((group) => group.every(isDecided)),
  };
  for (const value of values) {
    const labels = value === undefined ? chosen : { ...chosen, [key]: value };
    const found = matchesPods(decided, labels) && search(pods, left, labels);
    if (found) return found;
  }
  return undefined;
}
