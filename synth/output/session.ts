import { renameSync } from 'node:fs';
import { Stage, sweep, takeLock } from './area.ts';
import type { Folders } from './folders.ts';
import { Pinned, makeParents, resolveOutputLocation, type OutputLocation } from './location.ts';
import { computeSwapSteps, checkSwap, swap, type SwapPaths, type Moment } from './swap.ts';
import { Staging } from './staging.ts';

/** The only writer of an output: holds its lock and its staged files, and swaps them in. */
export class WriteSession {
  readonly place: OutputLocation;
  readonly #stage: Stage;
  readonly #staging: Staging;
  readonly #pins: readonly Pinned[];
  readonly #onMoment: (moment: Moment) => void;
  readonly #release: () => void;
  readonly #removeParents: () => void;
  /** Whether anything was staged. */
  #isBegun = false;

  /**
   * Takes the lock and removes the files of killed writers. Nothing in the staging area is ever
   * reused, since a commit could have put it there. Throws `OutputLocked`, or the error of the file
   * system; then the lock is not held.
   */
  constructor(directory: string, onMoment: (moment: Moment) => void) {
    this.place = resolveOutputLocation(directory);
    const { output, area, exists } = this.place;
    this.#onMoment = onMoment;
    this.#removeParents = makeParents(this.place);
    const { id, release } = takeLock(area);
    this.#release = release;
    this.#stage = new Stage(area, id);
    try {
      this.#pins = [area, ...(exists ? [output] : [])].map((folder) => new Pinned(folder));
      onMoment('locked');
      sweep(area);
    } catch (error) {
      release();
      throw error;
    }
    this.#staging = new Staging(this.#stage.staged);
  }

  /** Throws the error of the file system; then the session must be aborted. */
  stage(path: string, text: string): void {
    if (!this.#isBegun) this.#checkPins();
    this.#isBegun = true;
    this.#staging.write(path, text);
  }

  /**
   * Swaps in the staged files and removes others, then ends the session. Throws before the first
   * change, then the session must be aborted; or throws `SwapInterrupted`.
   * @returns When the swap began, in ms since the epoch.
   */
  commit(paths: SwapPaths, folders: Folders): number {
    this.#staging.drain();
    this.#onMoment('staged');
    const began = Date.now();
    if (this.#isBegun || paths.removed.length > 0) {
      this.#swapIn(paths, folders);
    }
    this.#release();
    return began;
  }

  /** Drops the staged files and releases the lock; the output is unchanged. */
  abort(): void {
    this.#staging.close();
    this.#stage.drop();
    this.#release();
    this.#removeParents();
  }

  #swapIn(paths: SwapPaths, folders: Folders): void {
    this.#checkPins();
    if (!this.place.exists) {
      // One rename is the whole swap.
      renameSync(this.#stage.staged, this.place.output);
      this.#onMoment('swapped');
      return;
    }
    const steps = computeSwapSteps(paths, folders);
    checkSwap(this.place, steps);
    this.#stage.beginSwap(!this.#isBegun);
    try {
      swap(steps, {
        output: this.place.output,
        stage: this.#stage,
        check: () => this.#checkPins(),
        onMoment: this.#onMoment,
      });
    } catch (error) {
      this.#stage.drop();
      this.#release();
      throw error;
    }
    this.#stage.drop();
  }

  #checkPins(): void {
    for (const pin of this.#pins) pin.check();
  }
}
