import { listed, type Problem } from '../kube/problem.ts';

/** Something that is said of an included file, and the files that include it. */
interface Said {
  readonly problem: Problem;
  readonly by: Set<string>;
}

/** What is said of files that declarations include: once, however many include the file. */
export class IncludedFaults {
  readonly #said = new Map<string, Said>();

  /** Whether a problem is about an included file, and kept until all who include it are known. */
  withholds({ includedBy, ...problem }: Problem): boolean {
    if (includedBy === undefined) return false;
    const key = JSON.stringify(problem);
    const said = this.#said.get(key) ?? { problem, by: new Set() };
    said.by.add(includedBy);
    this.#said.set(key, said);
    return true;
  }

  settle(): Problem[] {
    return [...this.#said.values()].map(({ problem, by }) => ({
      ...problem,
      message: `${problem.message} (included by ${listed([...by])})`,
    }));
  }
}
