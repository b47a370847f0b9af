import { mkdirSync, renameSync, rmSync } from 'node:fs';
import type { Folders } from './folders.ts';
import { hasJournal, readJournal, writeJournal } from './journal.ts';
import { takeLock } from './lock.ts';
import { makeParents, placeOf, type Place } from './place.ts';
import { planSwap } from './plan.ts';
import { Staging } from './staging.ts';
import { checkSwap, swap, type Moment } from './swap.ts';

/** The one writer of an output: holds its lock, its staged files, and swaps them in. */
export class WriteSession {
  readonly place: Place;
  readonly #staged: string[] = [];
  readonly #staging: Staging;
  readonly #onMoment: (moment: Moment) => void;
  readonly #release: () => void;
  readonly #removeParents: () => void;

  /**
   * Takes the lock, completes an interrupted swap, and drops what an interrupted staging left.
   * Throws `OutputLocked`, or as `swap` does; then the lock is not held.
   */
  constructor(directory: string, onMoment: (moment: Moment) => void) {
    const place = placeOf(directory);
    this.#onMoment = onMoment;
    this.#removeParents = makeParents(place);
    this.#release = takeLock(place.area);
    try {
      onMoment('locked');
      if (hasJournal(place.journal)) swap(place, readJournal(place.journal), onMoment);
      rmSync(place.tree, { recursive: true, force: true });
      rmSync(`${place.journal}.new`, { force: true });
    } catch (error) {
      this.#release();
      throw error;
    }
    // Completing a swap may have brought the folder.
    this.place = placeOf(directory);
    this.#staging = new Staging(place.tree);
  }

  /** Throws the error of the file system; then the session must be aborted. */
  stage(path: string, text: string): void {
    this.#staging.write(path, text);
    this.#staged.push(path);
  }

  /**
   * Swaps in what was staged and removes files, then ends the session. The journal is flushed to
   * the disk, the files are not: that would cost more than all the rest. So a killed process
   * leaves the old tree or a swap that the next session completes; after a power failure, a file
   * that the disk lost is found by the next comparison and written again.
   * Throws before the first change, then the session must be aborted; or `SwapInterrupted`.
   * @returns When the swap began, in ms since the epoch.
   */
  commit(removed: readonly string[], folders: Folders): number {
    const { place } = this;
    this.#staging.drain();
    this.#onMoment('staged');
    const began = Date.now();
    if (this.#staged.length + removed.length === 0) {
      this.#release();
      return began;
    }
    if (!place.exists) {
      // One rename is a whole swap, and needs no journal.
      renameSync(place.tree, place.output);
      this.#onMoment('swapped');
    } else {
      const steps = planSwap(this.#staged, removed, folders);
      checkSwap(place, steps);
      mkdirSync(place.tree, { recursive: true });
      writeJournal(place.journal, steps);
      try {
        this.#onMoment('journal');
        swap(place, steps, this.#onMoment);
      } finally {
        this.#release();
      }
    }
    this.#release();
    return began;
  }

  /** Drops what was staged and gives the lock back; the output is as it was. */
  abort(): void {
    this.#staging.close();
    if (hasJournal(this.place.journal)) return this.#release();
    rmSync(this.place.tree, { recursive: true, force: true });
    rmSync(`${this.place.journal}.new`, { force: true });
    this.#release();
    this.#removeParents();
  }
}
