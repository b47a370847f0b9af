import {
  matchesRequirement,
  listRequirements,
  type LabelSelector,
  type Requirement,
} from '../label-selector.ts';

/** Pods by their labels: those that meet all of some conditions, and not all of certain others. */
export interface Pods {
  readonly all: readonly Requirement[];
  /** Groups of conditions; a pod that meets every condition of a group is left out. */
  readonly none: readonly (readonly Requirement[])[];
}

export const EVERY_POD: Pods = { all: [], none: [] };

type Labels = Readonly<Record<string, string>>;

/** The pods that a selector selects; without one, every pod. */
export function selectPods(selector: LabelSelector | undefined): Pods {
  const all = selector ? conditions(selector) : [];
  return all.length === 0 ? EVERY_POD : { all, none: [] };
}

/** The pods that none of the selectors selects; undefined where no pod can be one. */
export function excludePods(selectors: readonly LabelSelector[]): Pods | undefined {
  if (selectors.length === 0) return EVERY_POD;
  if (selectors.some((selector) => listRequirements(selector).length === 0)) return undefined;
  return normalizePods({ all: [], none: selectors.map(conditions) });
}

/** The pods that are among both; undefined where no pod can be. */
export function intersectPods(some: Pods, others: Pods): Pods | undefined {
  if (some === EVERY_POD) return others;
  if (others === EVERY_POD) return some;
  return normalizePods({ all: [...some.all, ...others.all], none: [...some.none, ...others.none] });
}

/** Whether a pod with these labels is among them. */
export function matchesPods({ all, none }: Pods, labels: Labels): boolean {
  const meets = (group: readonly Requirement[]): boolean =>
    group.every((condition) => matchesRequirement(condition, labels));
  return meets(all) && !none.some(meets);
}

/** Labels of a pod that is among them; undefined where no pod can be. */
export function findExampleLabels(pods: Pods): Labels | undefined {
  return matchesPods({ all: [], none: pods.none.filter((group) => group.length === 0) }, {})
    ? search(pods, choicesOf(pods), {})
    : undefined;
}

/** `app=web`, `tier in (a, b)`, `!legacy`, `not (app=web)`: as kubectl writes selectors. */
export function formatPods({ all, none }: Pods): string {
  const groups = none.map((group) => `not (${group.map(formatRequirement).join(', ')})`);
  return [...all.map(formatRequirement), ...groups].join(', ');
}

/** A condition as kubectl writes it. */
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

/** The same pods in one form, without what says nothing; undefined where no pod can be one. */
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

/** What may be set for a key; undefined stands for a label that is not there. */
type Choice = readonly [key: string, values: ReadonlySet<string | undefined>];

/** For each key all values that make a difference; first the keys that no pod gets around. */
function choicesOf({ all, none }: Pods): Choice[] {
  const byKey = new Map<string, Set<string | undefined>>();
  for (const { key, values = [] } of [...all, ...none.flat()]) {
    const known = byKey.get(key) ?? new Set([undefined]);
    for (const value of values) known.add(value);
    byKey.set(key, known);
  }
  for (const known of byKey.values()) known.add(unlike(known));
  return [...byKey];
}

/** A value that nobody has named. */
function unlike(known: ReadonlySet<string | undefined>): string {
  let number = 0;
  while (known.has(`any${number || ''}`)) number += 1;
  return `any${number || ''}`;
}

/** Labels with the chosen ones among them, and with one choice for each of the keys that are left. */
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
