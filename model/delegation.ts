import type { DelegatedFolder, DelegationSpec } from '../crds/delegation.ts';
import type { ApprovalSpec } from '../crds/approval.ts';

/** Who may declare what, with all defaults of the platform file filled in. */
export interface Delegation {
  /** Whether the platform file lists folders. */
  readonly isGiven: boolean;
  readonly folders: readonly DelegatedFolder[];
  readonly shared: readonly string[];
  readonly owners: readonly string[];
  /** How far owners decide alone; see `resolveApproval`. */
  readonly approval: ApprovalSpec;
}

/** The folder of the table that applies to a file. */
export interface FolderMatch {
  readonly row: DelegatedFolder;
  /** The folder that the row's pattern matches: `teams/blue` for `teams/*`. */
  readonly folder: string;
}

/** The folder of classes, unless the table names another. */
export const CLASSES = 'classes';
const ANY: readonly string[] = ['*'];

/**
 * Resolves the delegation table. It adds the folder `classes` unless the table sets where classes are declared. Without
 * a table Tenants may be declared in any folder.
 */
export function resolveDelegation({
  folders,
  shared,
  owners,
  approval,
}: DelegationSpec = {}): Delegation {
  return {
    isGiven: folders !== undefined,
    folders: folders ? addClassesFolder(folders) : everywhere,
    shared: shared ?? [],
    owners: owners ?? [],
    approval: approval ?? {},
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
 * Finds the one folder that applies to a file: the deepest. Of two equally deep folders, a name takes precedence over
 * `*`.
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

/** Whether a declaration may include a file: a file in its own folder of the table, or a shared one. */
export function mayInclude(delegation: Delegation, from: string, to: string): boolean {
  const around = to.split('/').slice(0, -1);
  if (delegation.shared.some((shared) => matchesFolder(splitFolder(shared), around))) return true;
  const own = findFolder(delegation, from)?.folder;
  return own !== undefined && own === findFolder(delegation, to)?.folder;
}

/** Returns a row that can match the same folders as a given row while neither is more specific. */
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

/** Sorts the rows so that the last row that matches a file applies to it. */
export function sortBySpecificity(folders: readonly DelegatedFolder[]): readonly DelegatedFolder[] {
  return folders.toSorted((a, b) => {
    const [one, other] = [splitFolder(a.folder), splitFolder(b.folder)];
    return one.length - other.length || countWildcards(other) - countWildcards(one);
  });
}

/** Splits a folder into its names; none for '.'. */
const splitFolder = (folder: string): string[] => (folder === '.' ? [] : folder.split('/'));

const countWildcards = (names: readonly string[]): number =>
  names.filter((name) => name === '*').length;

/** Whether the outermost of some nested folders match a row. */
const matchesFolder = (names: readonly string[], around: readonly string[]): boolean =>
  names.length <= around.length && names.every((name, i) => name === '*' || name === around[i]);

const isMoreSpecific = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > other.length ||
  (one.length === other.length && countWildcards(one) < countWildcards(other));

/** Whether a pattern matches every folder that another pattern of the same depth matches. */
const covers = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((name, i) => name === '*' || name === other[i]);
