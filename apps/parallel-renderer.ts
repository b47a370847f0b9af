import type { PreparedUnit } from '../synth/files.ts';
import { threadProgram } from '../synth/code-folder.cjs';
import { usualWorkers, WorkerPool } from '../synth/workers/pool.ts';
import { locateInShares, countShares, type TenantTask } from './tenant-task.ts';

/** The number of files below which a thread costs more than it saves, unless a caller sets `workers`. */
const LEAST = 2000;

const PROGRAM = threadProgram('apps/tenant-worker');

type Units = readonly (PreparedUnit | undefined)[];

/** Renders files in other threads ahead of this one, which renders some of them itself. */
export class ParallelRenderer {
  readonly #pool: WorkerPool;
  readonly #indexes: ReadonlyMap<string, number>;
  #share = -1;
  #units: Units = [];

  /**
   * Starts the threads; returns undefined if they would take more time than they save.
   * @param workers threads, including this one. Default: as many as pay off
   */
  static start(task: TenantTask, workers?: number): ParallelRenderer | undefined {
    const { length } = task.names;
    const threads = workers ?? (length < LEAST ? 1 : usualWorkers());
    return threads < 2 || length === 0 ? undefined : new ParallelRenderer(task, threads - 1);
  }

  private constructor(task: TenantTask, threads: number) {
    this.#indexes = new Map(task.names.map((name, i) => [name, i]));
    this.#pool = new WorkerPool(PROGRAM, task, { shares: countShares(task), threads });
  }

  /**
   * Returns the result for a file, or undefined if this thread must render it. Call it in the order
   * of the names.
   */
  take(name: string): PreparedUnit | undefined {
    const index = this.#indexes.get(name);
    if (index === undefined) return undefined;
    const { share, at } = locateInShares(index);
    if (share !== this.#share) {
      this.#share = share;
      this.#units = (this.#pool.take(share)?.result ?? []) as Units;
    }
    return this.#units[at];
  }

  close(): void {
    this.#pool.close();
  }
}
