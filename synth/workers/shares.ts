/** The number of shares in a window. The program starts at its beginning, workers at its end. */
const WINDOW = 8;
/** The number of windows that workers may be ahead, since their results wait in memory. */
const AHEAD = 1;

const FREE = 0;
const CLAIMED = 1;
const DONE = 2;
const FAILED = 3;

/**
 * Tracks which thread processes which share, in memory that threads share. A share is claimed by
 * one thread only. The program needs the results of all shares in order, so it starts with the
 * first of each window, and workers start with the last. Where they meet, the window is finished,
 * and no thread has waited for another.
 */
export class Shares {
  readonly count: number;
  /** The state of each share, followed by the window of the program. */
  readonly cells: Int32Array;

  /** @param cells the cells of another thread. Default: new ones, with nothing done */
  constructor(count: number, cells?: Int32Array) {
    this.count = count;
    this.cells = cells ?? new Int32Array(new SharedArrayBuffer(4 * (count + 1)));
  }

  /** Returns true for the one caller that must process the share. */
  claim(share: number): boolean {
    return Atomics.compareExchange(this.cells, share, FREE, CLAIMED) === FREE;
  }

  /** Settles a claimed share. */
  settle(share: number, isDone: boolean): void {
    Atomics.store(this.cells, share, isDone ? DONE : FAILED);
    Atomics.notify(this.cells, share);
  }

  /** Waits at most `timeout` ms for a share that another thread claimed. Returns false without a result. */
  wait(share: number, timeout: number): boolean {
    Atomics.wait(this.cells, share, CLAIMED, timeout);
    return Atomics.load(this.cells, share) === DONE;
  }

  /** Records that the program has reached a share. */
  reach(share: number): void {
    const window = Math.floor(share / WINDOW);
    if (Atomics.load(this.cells, this.count) === window) return;
    Atomics.store(this.cells, this.count, window);
    Atomics.notify(this.cells, this.count);
  }

  /** Yields the shares that a worker claims. It waits if the program is too far behind. */
  *claimed(): Generator<number> {
    for (let window = 0; window * WINDOW < this.count; window++) {
      this.#follow(window);
      const end = Math.min((window + 1) * WINDOW, this.count);
      for (let share = end - 1; share >= window * WINDOW; share--) {
        if (!this.claim(share)) break;
        yield share;
      }
    }
  }

  #follow(window: number): void {
    for (;;) {
      const reached = Atomics.load(this.cells, this.count);
      if (window <= reached + AHEAD) return;
      Atomics.wait(this.cells, this.count, reached);
    }
  }
}
