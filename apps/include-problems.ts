import {
  formatList,
  type Problem,
  findNearest,
  show,
  type LackingFile,
} from '@tenantry/kube/problem';
import type { Delegation } from '../model/delegation.ts';
import { errorAt } from '@tenantry/kube/finding';
import type { PlatformPlace } from './platform-file.ts';

/** A problem of an included file, and the files that include it. */
interface IncludedFileProblem {
  readonly problem: Problem;
  readonly by: Set<string>;
}

/** Reports each problem of an included file once, however many declarations include the file. */
export class IncludedFileProblems {
  readonly #deferred = new Map<string, IncludedFileProblem>();

  /**
   * Defers a problem of an included file until all files that include it are known; returns whether
   * it did.
   */
  tryDefer({ includedBy, ...problem }: Problem): boolean {
    if (includedBy === undefined) return false;
    const key = JSON.stringify(problem);
    const entry = this.#deferred.get(key) ?? { problem, by: new Set() };
    entry.by.add(includedBy);
    this.#deferred.set(key, entry);
    return true;
  }

  flush(): Problem[] {
    return [...this.#deferred.values()].map(({ problem, by }) => ({
      ...problem,
      message: `${problem.message} (included by ${formatList([...by])})`,
    }));
  }
}

/** The files of a folder, and the part of the platform file that shares folders. */
interface SharedFolders {
  readonly delegation: Delegation | undefined;
  /** Undefined where there is no platform file. */
  readonly place: PlatformPlace | undefined;
  /** All files of the folder, including those that declarations include. */
  readonly files: ReadonlySet<string>;
}

interface UnresolvedInclude {
  readonly problem: Problem;
  readonly lacks: LackingFile;
}

/**
 * Merges the problems of files that declarations name but cannot include. A missing file is
 * reported once, at the first declaration that names it, and so are the files of a folder that is
 * not shared. If `spec.delegation.shared` has an empty folder with a similar name, only that entry
 * is reported.
 */
export class UnresolvedIncludes {
  readonly #withheld: UnresolvedInclude[] = [];

  /** Defers a problem until all files that name the same file are known; returns whether it did. */
  tryDefer({ lacks, ...problem }: Problem): boolean {
    if (lacks) this.#withheld.push({ problem, lacks });
    return lacks !== undefined;
  }

  flush(folders: SharedFolders): Problem[] {
    const groups = Map.groupBy(this.#withheld, ({ lacks: { file, because } }) =>
      because === 'missing' ? file : `${folderOf(file)}/`,
    );
    return [...groups.values()].map((found) => mergeProblems(found, folders));
  }
}

const folderOf = (file: string): string => file.split('/').slice(0, -1).join('/');

function mergeProblems(found: readonly UnresolvedInclude[], folders: SharedFolders): Problem {
  const [{ problem, lacks }] = found as [UnresolvedInclude];
  const files = [...new Set(found.map((one) => one.problem.file ?? ''))];
  const named = files.length === 1 ? files[0] : `${files.length} files (${formatList(files)})`;
  if (lacks.because === 'not-shared' && folders.files.has(lacks.file)) {
    const mistyped = mistypedFor(lacks.file, folders);
    if (mistyped) {
      const must = `must be a folder that holds files, got ${show(mistyped.got)}`;
      const message = `${must}; did you mean ${show(mistyped.meant)}, of which ${named} include files?`;
      const path = ['spec', 'delegation', 'shared', mistyped.index];
      return mistyped.place(errorAt(path, message, 'delegation'));
    }
  }
  if (files.length === 1) return problem;
  const what = lacks.because === 'missing' ? 'it' : `files of ${show(folderOf(lacks.file))}`;
  const who = `${files.length} files include ${what}: ${formatList(files)}`;
  return { ...problem, message: `${problem.message} (${who})` };
}

/** Finds the entry of `shared` that is most likely a misspelled folder of the file. */
function mistypedFor(file: string, { delegation, place, files }: SharedFolders) {
  if (!delegation || !place) return undefined;
  const names = [...files];
  const around = file.split('/').slice(0, -1);
  const folders = around.map((_, i) => around.slice(0, i + 1).join('/'));
  const empty = delegation.shared.flatMap((got, index) =>
    names.some((name) => name.startsWith(`${got}/`)) ? [] : [{ got, index }],
  );
  return empty
    .map(({ got, index }) => ({ got, index, place, meant: findNearest(got, folders) ?? '' }))
    .find(({ meant }) => meant !== '');
}
