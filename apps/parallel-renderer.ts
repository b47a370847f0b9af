import type { PreparedUnit } from '../synth/files.ts';
import { usualWorkers, WorkerPool } from '../synth/workers/pool.ts';
import { threadProgram } from '../synth/workers/program.ts';
import { locateInShares, sharesOf, type TenantTask } from './tenant-task.ts';

/** In files: for fewer a thread is not worth its start, unless somebody asks for it. */
const LEAST = 2000;

const PROGRAM = threadProgram('apps/tenant-worker');

type Units = readonly (PreparedUnit | undefined)[];

/** Files that other threads render ahead of this one, which has to do some of them itself. */
export class ParallelRenderer {
  readonly #pool: WorkerPool;
  readonly #indexes: ReadonlyMap<string, number>;
  #share = -1;
  #units: Units = [];

  /**
   * Undefined where it would take more time than it saves.
   * @param workers threads, this one among them. Default: what is worth it
   */
  static start(task: TenantTask, workers?: number): ParallelRenderer | undefined {
    const { length } = task.names;
    const threads = workers ?? (length < LEAST ? 1 : usualWorkers());
    return threads < 2 || length === 0 ? undefined : new ParallelRenderer(task, threads - 1);
  }

  private constructor(task: TenantTask, threads: number) {
    this.#indexes = new Map(task.names.map((name, i) => [name, i]));
    this.#pool = new WorkerPool(PROGRAM, task, { shares: sharesOf(task), threads });
  }

  /** What came of a file; undefined for one that is to be rendered here. Asked in their order. */
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
