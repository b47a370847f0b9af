import type { FoundNamespace } from './namespaces.ts';
import { isDnsLabel } from '@tenantry/kube/names';

/** How the namespaces of a tenant are found. */
export type Grouping =
  | { readonly by: 'label' | 'annotation'; readonly key: string }
  | { readonly by: 'name' }
  | { readonly by: 'none' };

/** The namespaces of a future tenant. */
export interface TenantGroup {
  readonly name: string;
  /** Sorted by name; at least one. */
  readonly namespaces: readonly FoundNamespace[];
}

/** Groups of namespaces, and why they are grouped so. */
export interface ProposedGroups {
  readonly grouping: Grouping;
  readonly groups: readonly TenantGroup[];
  readonly reason: string;
}

/** Keys by which other systems name the owner of a namespace. Their value is the name of the tenant. */
const ownerLabels = [
  'capsule.clastix.io/tenant',
  'toolkit.fluxcd.io/tenant',
  'stakater.com/tenant',
  'kubesphere.io/workspace',
];

/** Words for environments in names of namespaces. */
const environmentWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dev: ['dev', 'devel', 'develop', 'development'],
    test: ['test', 'testing', 'tst', 'qa', 'integration', 'int', 'ci'],
    stage: ['stage', 'stg', 'staging', 'preprod', 'preproduction', 'uat', 'acc', 'acceptance'],
    sandbox: ['sandbox', 'sbx', 'demo', 'training', 'preview'],
    prod: ['prod', 'prd', 'production', 'live'],
  }).flatMap(([meaning, words]) => words.map((word): [string, string] => [word, meaning])),
);

/** Returns the environment that a word or a name ends with: `prod` for `production` and `shop-prd`. */
export function findEnvironment(text: string): string | undefined {
  const last =
    text
      .toLowerCase()
      .split(/[-_. ]/)
      .at(-1) ?? '';
  return environmentWords.get(last);
}

/** Returns a name without the word for its environment: `shop` for `shop-prod` and `prod-shop`. */
export function removeEnvironment(name: string): string {
  const words = name.split('-');
  if (words.length === 1) return name;
  if (environmentWords.has(words.at(-1)!)) return words.slice(0, -1).join('-');
  return environmentWords.has(words[0]!) ? words.slice(1).join('-') : name;
}

/**
 * Groups namespaces into tenants: as the mapping names them, else by the wanted grouping, else by the best
 * one that is found. A label of another tenancy system wins. Otherwise the best key joins the most namespaces whose
 * names begin alike, and the names themselves are one more candidate.
 * @param pinned names of tenants by namespace
 */
export function groupNamespaces(
  namespaces: readonly FoundNamespace[],
  pinned: ReadonlyMap<string, string>,
  wanted?: Grouping,
): ProposedGroups {
  const free = namespaces.filter(({ name }) => !pinned.has(name));
  const grouping = wanted ?? proposeGrouping(free);
  const byKey = Map.groupBy(free, (one) => keyOf(one, grouping) ?? `namespace ${one.name}`);
  const taken = new Set(pinned.values());
  const named = Map.groupBy(
    namespaces.filter(({ name }) => pinned.has(name)),
    ({ name }) => pinned.get(name)!,
  );
  const groups = [...named].map(([name, members]): TenantGroup => ({ name, namespaces: members }));
  for (const [key, members] of byKey) {
    const name = findFreeName(nameTenant(key, members, grouping), taken);
    taken.add(name);
    groups.push({ name, namespaces: members });
  }
  const joined = groups.filter((group) => group.namespaces.length > 1);
  const count = joined.reduce((sum, group) => sum + group.namespaces.length, 0);
  return {
    grouping,
    groups: groups.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    reason: `${free.length > 0 ? describe(grouping) : 'a mapping or another system'} joins ${count} of ${namespaces.length} namespaces in ${joined.length} tenants; the others are tenants of their own`,
  };
}

function describe(grouping: Grouping): string {
  if (grouping.by === 'name') return 'the name without its environment';
  return grouping.by === 'none' ? 'no rule' : `the ${grouping.by} ${grouping.key}`;
}

function keyOf(one: FoundNamespace, grouping: Grouping): string | undefined {
  if (grouping.by === 'none') return undefined;
  if (grouping.by === 'name') return removeEnvironment(one.name);
  const { labels, annotations } = one.namespace.object.metadata;
  return (grouping.by === 'label' ? labels : annotations)?.[grouping.key] || undefined;
}

function proposeGrouping(namespaces: readonly FoundNamespace[]): Grouping {
  const keys = (part: 'labels' | 'annotations'): ReadonlySet<string> =>
    new Set(namespaces.flatMap((one) => Object.keys(one.namespace.object.metadata[part] ?? {})));
  const labels = keys('labels');
  const known = ownerLabels.find((key) => labels.has(key));
  if (known !== undefined) return { by: 'label', key: known };
  const candidates: Grouping[] = [
    { by: 'name' },
    ...[...labels].map((key): Grouping => ({ by: 'label', key })),
    ...[...keys('annotations')].map((key): Grouping => ({ by: 'annotation', key })),
  ];
  const scored = candidates.map((grouping) => ({ grouping, score: score(namespaces, grouping) }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score > 0 ? best.grouping : { by: 'none' };
}

/**
 * The number of namespaces that a grouping joins with others whose names begin with the same word, less three for each
 * that it joins with others although no name begins so.
 */
function score(namespaces: readonly FoundNamespace[], grouping: Grouping): number {
  let total = 0;
  for (const [key, members] of Map.groupBy(namespaces, (one) => keyOf(one, grouping))) {
    if (key === undefined || members.length < 2) continue;
    const stem = findCommonStart(members.map(({ name }) => removeEnvironment(name)));
    total += stem === undefined ? -3 * members.length : members.length;
  }
  return total;
}

function nameTenant(key: string, members: readonly FoundNamespace[], grouping: Grouping): string {
  const names = members.map(({ name }) => name);
  if (names.length === 1 && grouping.by !== 'label') return names[0]!;
  if (grouping.by === 'label' && ownerLabels.includes(grouping.key) && isDnsLabel(key)) return key;
  return findCommonStart(names) ?? (isDnsLabel(key) ? key : names[0]!);
}

/** Returns the words with which all names begin; undefined if they have no word in common. */
function findCommonStart([first = '', ...others]: readonly string[]): string | undefined {
  if (others.length === 0) return first;
  const words = first.split('-');
  while (words.length > 0) {
    const start = words.join('-');
    if (others.every((name) => name === start || name.startsWith(`${start}-`))) return start;
    words.pop();
  }
  return undefined;
}

/** Returns the name, with a number at its end if it is taken. */
export function findFreeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}
