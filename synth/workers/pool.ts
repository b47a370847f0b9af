import { availableParallelism } from 'node:os';
import {
  MessageChannel,
  receiveMessageOnPort,
  Worker,
  workerData,
  type MessagePort,
  type TransferListItem,
} from 'node:worker_threads';

/** Milliseconds after which the worker of an unfinished share counts as dead. */
const PATIENCE = 60_000;
/** The maximum number of threads. More would wait for the thread that writes the output. */
const MAX_WORKERS = 8;

/** The limits of a worker. A share is finished quickly, and garbage is collected early. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** Returns the default number of render threads: one per core, without the one that writes. */
export function usualWorkers(): number {
  return Math.max(1, Math.min(availableParallelism() - 1, MAX_WORKERS));
}

/**
 * Threads that process shares of the caller's work ahead of it. Every call is synchronous. A worker
 * that is late, fails to start or dies costs only time, since the caller does its share.
 */
export class WorkerPool {
  readonly #shares: Shares;
  readonly #threads: Worker[] = [];
  readonly #ports: MessagePort[] = [];
  readonly #done = new Map<number, unknown>();

  /**
   * @param program the file that the threads run; it calls `serve`
   * @param task the data for the threads
   */
  constructor(program: string, task: unknown, amount: { shares: number; threads: number }) {
    this.#shares = new Shares(amount.shares);
    for (let i = 0; i < amount.threads; i++) this.#start(program, task);
  }

  /**
   * Returns the result of a worker for a share. Call it share by share, in order.
   * @returns undefined when the caller must process the share itself
   */
  take(share: number): { readonly result: unknown } | undefined {
    this.#shares.reach(share);
    if (this.#shares.claim(share) || !this.#shares.wait(share, PATIENCE)) return undefined;
    for (const port of this.#ports) this.#receive(port);
    if (!this.#done.has(share)) return undefined;
    const result = this.#done.get(share);
    this.#done.delete(share);
    return { result };
  }

  /** Stops the threads, whatever they do. Idempotent. */
  close(): void {
    for (const thread of this.#threads.splice(0)) void thread.terminate();
    for (const port of this.#ports.splice(0)) port.close();
  }

  #receive(port: MessagePort): void {
    for (;;) {
      const received = receiveMessageOnPort(port) as { message: ShareDone } | undefined;
      if (!received) return;
      this.#done.set(received.message.share, received.message.result);
    }
  }

  #start(program: string, task: unknown): void {
    const { port1, port2 } = new MessageChannel();
    const { count: shares, cells } = this.#shares;
    const workerData: WorkerStart = { shares, cells, port: port2, task };
    const transferList: TransferListItem[] = [port2];
    // Flags of the caller's Node, such as loaders, do not apply to these threads.
    const options = { workerData, transferList, resourceLimits, execArgv: [] };
    const thread = new Worker(program, options);
    thread.on('error', () => {});
    thread.unref();
    port1.unref();
    this.#threads.push(thread);
    this.#ports.push(port1);
  }
}

/** The data that a worker is started with. */
interface WorkerStart {
  readonly shares: number;
  readonly cells: Int32Array;
  readonly port: MessagePort;
  /** The task for the program of the worker. */
  readonly task: unknown;
}

/** The result of a share. */
interface ShareDone {
  readonly share: number;
  readonly result: unknown;
}

/**
 * Runs in a worker until the end and processes the shares that it can claim.
 * @param begin receives the task and returns a function that processes a share. If it throws for a
 * share, the program processes that one and gets the error itself
 */
export function serve(begin: (task: unknown) => (share: number) => unknown): void {
  const { shares: count, cells, port, task } = workerData as WorkerStart;
  const shares = new Shares(count, cells);
  const work = begin(task);
  for (const share of shares.claimed()) {
    let isDone = false;
    try {
      port.postMessage({ share, result: work(share) } satisfies ShareDone);
      isDone = true;
    } catch {
      // The program processes it.
    } finally {
      shares.settle(share, isDone);
    }
  }
}

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
