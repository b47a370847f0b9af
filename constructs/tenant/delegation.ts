import type { DelegatedFolder, DelegationSpec } from '../../crds/tenantry/delegation.ts';

/** Who may declare what, with everything that the platform file leaves out filled in. */
export interface Delegation {
  /** Whether the platform file says which folders there are. */
  readonly isGiven: boolean;
  readonly folders: readonly DelegatedFolder[];
  readonly shared: readonly string[];
  readonly owners: readonly string[];
}

/** The folder of a table that holds for a file. */
export interface FolderMatch {
  readonly row: DelegatedFolder;
  /** What the row's pattern stands for here: `teams/blue` of `teams/*`. */
  readonly folder: string;
}

/** Where classes stand when the table does not say. */
export const CLASSES = 'classes';
const ANY: readonly string[] = ['*'];

/**
 * The table with the folder `classes` in it, unless it says itself where classes stand. Without a
 * table Tenants are declared everywhere.
 */
export function resolveDelegation({ folders, shared, owners }: DelegationSpec = {}): Delegation {
  return {
    isGiven: folders !== undefined,
    folders: folders ? addClassesFolder(folders) : everywhere,
    shared: shared ?? [],
    owners: owners ?? [],
  };
}

const everywhere: readonly DelegatedFolder[] = [
  { folder: '.', tenants: ANY },
  { folder: CLASSES, classes: ANY, tenants: ANY },
];

function addClassesFolder(folders: readonly DelegatedFolder[]): readonly DelegatedFolder[] {
  const hasClassesFolder = folders.some(
    (row) => row.classes !== undefined || row.folder === CLASSES,
  );
  return hasClassesFolder ? folders : [...folders, { folder: CLASSES, classes: ANY }];
}

/**
 * The folder that holds for a file, and it alone: the deepest, and of two equally deep ones that
 * which has a name where the other has `*`.
 * @param path of the file, below the folder of tenants, with `/`
 */
export function findFolder({ folders }: Delegation, path: string): FolderMatch | undefined {
  const around = path.split('/').slice(0, -1);
  let best: { row: DelegatedFolder; names: readonly string[] } | undefined;
  for (const row of folders) {
    const names = splitFolder(row.folder);
    if (!matchesFolder(names, around)) continue;
    if (!best || isMoreSpecific(names, best.names)) best = { row, names };
  }
  return best && { row: best.row, folder: around.slice(0, best.names.length).join('/') || '.' };
}

/** Whether a declaration may include a file: one of its own folder of the table, or a shared one. */
export function mayInclude(delegation: Delegation, from: string, to: string): boolean {
  const around = to.split('/').slice(0, -1);
  if (delegation.shared.some((shared) => matchesFolder(splitFolder(shared), around))) return true;
  const own = findFolder(delegation, from)?.folder;
  return own !== undefined && own === findFolder(delegation, to)?.folder;
}

/** The row that could hold for the same folder as a row, while neither is the more specific one. */
export function findConflictingFolder(
  { folders }: Pick<Delegation, 'folders'>,
  index: number,
): DelegatedFolder | undefined {
  const own = splitFolder(folders[index]!.folder);
  return folders.slice(0, index).find(({ folder }) => {
    const other = splitFolder(folder);
    const canMeet =
      own.length === other.length &&
      own.every((name, i) => name === '*' || other[i] === '*' || name === other[i]);
    return canMeet && !covers(own, other) && !covers(other, own);
  });
}

/** The rows in an order in which the last to match a file is the one that holds. */
export function sortBySpecificity(folders: readonly DelegatedFolder[]): readonly DelegatedFolder[] {
  return folders.toSorted((a, b) => {
    const [one, other] = [splitFolder(a.folder), splitFolder(b.folder)];
    return one.length - other.length || countWildcards(other) - countWildcards(one);
  });
}

/** The names on the way to a folder; none for '.'. */
const splitFolder = (folder: string): string[] => (folder === '.' ? [] : folder.split('/'));

const countWildcards = (names: readonly string[]): number =>
  names.filter((name) => name === '*').length;

/** Whether the first of some nested folders are those of a row. */
const matchesFolder = (names: readonly string[], around: readonly string[]): boolean =>
  names.length <= around.length && names.every((name, i) => name === '*' || name === around[i]);

const isMoreSpecific = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > other.length ||
  (one.length === other.length && countWildcards(one) < countWildcards(other));

/** Whether one stands for every folder that another of its depth stands for. */
const covers = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((name, i) => name === '*' || name === other[i]);
