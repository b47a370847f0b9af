import { CLASSES, findFolder, type Delegation } from '../constructs/tenant/delegation.ts';
import { errorAt, type Finding } from '../kube/finding.ts';
import { formatList, findNearest, show, type Path, type Problem } from '../kube/problem.ts';
import type { PlatformPlace } from './platform-file.ts';
import { withoutDigits } from './shared-names.ts';

/** A declaration that its folder is not allowed to hold. */
export interface MisplacedDeclaration {
  /** The path of the file, relative to the folder of tenants. */
  readonly name: string;
  readonly finding: Finding;
  readonly problem: Problem;
}

/** The delegation table of the platform file, and its place there. */
export interface DelegationTable {
  readonly delegation: Delegation;
  readonly place: PlatformPlace;
}

/** A suspected mistake in the table, with the text before and after the list of affected files. */
interface TableProblem {
  readonly path: Path;
  readonly before: string;
  readonly after: string;
}

/**
 * Finds the cause of declarations in folders that may not hold them. The table is at fault if
 * several files are in a folder whose name resembles an unused row, or resembles no row. Otherwise
 * each file is at fault.
 */
export class MisplacedDeclarations {
  readonly #table: DelegationTable | undefined;
  readonly #withheld: MisplacedDeclaration[] = [];

  /** @param table undefined if no platform file has one; then nothing is deferred */
  constructor(table: DelegationTable | undefined) {
    this.#table = table;
  }

  /** Defers a declaration until all files are known; returns whether it did. */
  tryDefer(misplaced: MisplacedDeclaration): boolean {
    if (!this.#table) return false;
    this.#withheld.push(misplaced);
    return true;
  }

  /** @param names the paths of all files, relative to the folder of tenants */
  flush(names: readonly string[]): Problem[] {
    const table = this.#table;
    if (!table || this.#withheld.length === 0) return [];
    const used = new Set(names.map((name) => findFolder(table.delegation, name)?.row));
    const suspicions = this.#withheld.map((misplaced) => ({
      misplaced,
      suspicion: findTableProblem(misplaced, table.delegation, used),
    }));
    const groups = Map.groupBy(suspicions, ({ suspicion }) => JSON.stringify(suspicion));
    return [...groups.values()].flatMap((found) => {
      const files = [...new Set(found.map(({ misplaced }) => misplaced.problem.file ?? ''))];
      const { suspicion } = found[0]!;
      if (!suspicion || files.length === 1) return found.map(({ misplaced }) => misplaced.problem);
      const { path, before, after } = suspicion;
      const message = `${before}${files.length} files (${formatList(files)})${after}`;
      return [table.place(errorAt(path, message, 'delegation'))];
    });
  }
}

type Rows = Delegation['folders'];

function findTableProblem(
  { name, finding }: MisplacedDeclaration,
  { folders }: Delegation,
  used: ReadonlySet<Rows[number] | undefined>,
): TableProblem | undefined {
  const path = ['spec', 'delegation', 'folders'];
  const around = name.split('/').slice(0, -1);
  const like = folders.flatMap((row, i) => {
    const meant = guessIntendedPattern(row.folder, around);
    return meant === undefined ? [] : [{ row, i, meant }];
  });
  const unused = like.find(({ row }) => !used.has(row) && row.folder !== CLASSES);
  if (unused) {
    const { row, i, meant } = unused;
    const must = `must be a folder that holds files, got ${show(row.folder)}`;
    const before = `${must}; did you mean ${show(meant)}, which holds `;
    return { path: [...path, i, 'folder'], before, after: '?' };
  }
  if (like.length > 0 || finding.about?.unknownName === undefined) return undefined;
  const before = `must have a row for ${show(around[0] ?? '.')}, which holds `;
  return { path, before, after: `, got ${formatList(folders.map(({ folder }) => folder))}` };
}

/** Finds the intended spelling of a misspelled pattern among the folders of a file. */
function guessIntendedPattern(pattern: string, around: readonly string[]): string | undefined {
  const names = pattern.split('/');
  const isFixed = (_name: string | undefined, i: number): boolean => names[i] !== '*';
  const fixed = names.filter(isFixed).join('/');
  const here = around.slice(0, names.length);
  const fixedHere = here.filter(isFixed).join('/');
  if (here.length < names.length || fixed === fixedHere) return undefined;
  // Names that differ by a number, such as team1 and team2, are not one name spelled twice.
  if (withoutDigits(fixed) === withoutDigits(fixedHere)) return undefined;
  if (findNearest(fixedHere, [fixed]) === undefined) return undefined;
  return names.map((name, i) => (name === '*' ? name : here[i])).join('/');
}
