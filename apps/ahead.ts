import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PreparedUnit } from '../synth/files.ts';
import { here } from '../synth/here.cjs';
import { WorkerPool } from '../synth/workers/pool.ts';
import { placeInShares, sharesOf, type TenantTask } from './tenant-task.ts';

/** In files: for fewer a thread is not worth its start. */
const LEAST = 512;

const built = join(dirname(here), 'apps', 'tenant-worker.js');
const PROGRAM = existsSync(built) ? built : join(dirname(here), 'apps', 'tenant-worker.ts');

type Units = readonly (PreparedUnit | undefined)[];

/** Files that other threads render ahead of this one, which has to do some of them itself. */
export class Ahead {
  readonly #pool: WorkerPool;
  readonly #indexes: ReadonlyMap<string, number>;
  #share = -1;
  #units: Units = [];

  /**
   * Undefined where it would take more time than it saves.
   * @param threads this one among them
   */
  static begin(task: TenantTask, threads: number): Ahead | undefined {
    return threads < 2 || task.names.length < LEAST ? undefined : new Ahead(task, threads - 1);
  }

  private constructor(task: TenantTask, threads: number) {
    this.#indexes = new Map(task.names.map((name, i) => [name, i]));
    this.#pool = new WorkerPool(PROGRAM, task, { shares: sharesOf(task), threads });
  }

  /** What came of a file; undefined for one that is to be rendered here. Asked in their order. */
  of(name: string): PreparedUnit | undefined {
    const index = this.#indexes.get(name);
    if (index === undefined) return undefined;
    const { share, at } = placeInShares(index);
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
