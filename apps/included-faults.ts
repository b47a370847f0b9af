import { formatList, type Problem } from '../kube/problem.ts';

/** A problem of an included file, and the files that include it. */
interface IncludedFileProblem {
  readonly problem: Problem;
  readonly by: Set<string>;
}

/** Reports each problem of an included file once, however many declarations include the file. */
export class IncludedFileProblems {
  readonly #said = new Map<string, IncludedFileProblem>();

  /**
   * Defers a problem of an included file until all files that include it are known; returns whether
   * it did.
   */
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
