import { formatList, type Problem } from '../kube/problem.ts';

/** Something that is said of an included file, and the files that include it. */
interface IncludedFileProblem {
  readonly problem: Problem;
  readonly by: Set<string>;
}

/** What is said of files that declarations include: once, however many include the file. */
export class IncludedFileProblems {
  readonly #said = new Map<string, IncludedFileProblem>();

  /** Whether a problem is about an included file, and kept until all who include it are known. */
  tryDefer({ includedBy, ...problem }: Problem): boolean {
    if (includedBy === undefined) return false;
    const key = JSON.stringify(problem);
    const entry = this.#said.get(key) ?? { problem, by: new Set() };
    entry.by.add(includedBy);
    this.#said.set(key, entry);
    return true;
  }

  flush(): Problem[] {
    return [...this.#said.values()].map(({ problem, by }) => ({
      ...problem,
      message: `${problem.message} (included by ${formatList([...by])})`,
    }));
  }
}
