/** Shares of a window: the program goes through it from its begin, workers from its end. */
const WINDOW = 8;
/** How many windows workers may be ahead: what they made waits in memory. */
const AHEAD = 1;

const FREE = 0;
const CLAIMED = 1;
const DONE = 2;
const FAILED = 3;

/**
 * Who does which share of a row of work, in memory that threads share. A share is claimed by one
 * thread alone. The program takes what came of all shares in their order, so it begins with the
 * first of each window, and workers begin with the last: where they meet, the window is done, and
 * nobody has waited for another.
 */
export class Shares {
  readonly count: number;
  /** The state of each share, and behind them the window in which the program is. */
  readonly cells: Int32Array;

  /** @param cells those of another thread. Default: new ones, with nothing done */
  constructor(count: number, cells?: Int32Array) {
    this.count = count;
    this.cells = cells ?? new Int32Array(new SharedArrayBuffer(4 * (count + 1)));
  }

  /** True for the one caller that is to do the share. */
  claim(share: number): boolean {
    return Atomics.compareExchange(this.cells, share, FREE, CLAIMED) === FREE;
  }

  /** Ends a share that was claimed. */
  settle(share: number, isDone: boolean): void {
    Atomics.store(this.cells, share, isDone ? DONE : FAILED);
    Atomics.notify(this.cells, share);
  }

  /** Waits at most `timeout` ms for a share that another claimed. False: nothing came of it. */
  wait(share: number, timeout: number): boolean {
    Atomics.wait(this.cells, share, CLAIMED, timeout);
    return Atomics.load(this.cells, share) === DONE;
  }

  /** The program comes to a share. */
  reach(share: number): void {
    const window = Math.floor(share / WINDOW);
    if (Atomics.load(this.cells, this.count) === window) return;
    Atomics.store(this.cells, this.count, window);
    Atomics.notify(this.cells, this.count);
  }

  /** The shares that a worker has claimed, as it comes to them. Waits for the program to follow. */
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
