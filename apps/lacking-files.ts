import type { Delegation } from '../constructs/tenant/delegation.ts';
import { errorAt } from '../kube/finding.ts';
import { formatList, findNearest, show, type LackingFile, type Problem } from '../kube/problem.ts';
import type { PlatformPlace } from './platform-file.ts';

/** The files of a folder, and what the platform file says of them. */
export interface SharedFolders {
  readonly delegation: Delegation | undefined;
  /** Undefined where there is no platform file. */
  readonly place: PlatformPlace | undefined;
  /** All files of the folder, included ones among them. */
  readonly files: ReadonlySet<string>;
}

interface UnresolvedInclude {
  readonly problem: Problem;
  readonly lacks: LackingFile;
}

/**
 * What declarations name and cannot include: a file that is missing is told once, of the first that
 * names it, and so are files of a folder that is not shared. Where `spec.delegation.shared` has a
 * folder that holds nothing and is spelled nearly like it, that is the mistake, and it alone is told.
 */
export class UnresolvedIncludes {
  readonly #withheld: UnresolvedInclude[] = [];

  /** Whether it is kept until all who name the file are known. */
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

/** The entry of `shared` that was most likely meant to be a folder of a file. */
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
