import { availableParallelism } from 'node:os';
import {
  MessageChannel,
  receiveMessageOnPort,
  Worker,
  type MessagePort,
  type TransferListItem,
} from 'node:worker_threads';
import type { ShareDone, WorkerStart } from './serve.ts';
import { Shares } from './shares.ts';

/** In ms: how long a share may take before its worker is taken for dead. */
const PATIENCE = 60_000;
/** More than that waits for the thread that writes everything down. */
const MOST = 8;

/** Of a worker: it is through with a share soon, and what it leaves is collected early. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** How many threads render where nobody says it: one a core, but for the one that writes. */
export function usualWorkers(): number {
  return Math.max(1, Math.min(availableParallelism() - 1, MOST));
}

/**
 * Threads that do shares of the caller's work ahead of it. Every call is synchronous. A worker that
 * is late, fails to start or dies only costs time: what it does not do is left to the caller.
 */
export class WorkerPool {
  readonly #shares: Shares;
  readonly #threads: Worker[] = [];
  readonly #ports: MessagePort[] = [];
  readonly #done = new Map<number, unknown>();

  /**
   * @param program the file that the threads run; it calls `serve`
   * @param task what it is given, as data
   */
  constructor(program: string, task: unknown, amount: { shares: number; threads: number }) {
    this.#shares = new Shares(amount.shares);
    for (let i = 0; i < amount.threads; i++) this.#start(program, task);
  }

  /**
   * What a worker made of a share; to be asked share by share, in their order.
   * @returns undefined when the caller has to do it, and nobody else will
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

  /** Ends the threads, whatever they do. Idempotent. */
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
    // Flags of the caller's Node, such as loaders, are not for these threads.
    const options = { workerData, transferList, resourceLimits, execArgv: [] };
    const thread = new Worker(program, options);
    thread.on('error', () => {});
    thread.unref();
    port1.unref();
    this.#threads.push(thread);
    this.#ports.push(port1);
  }
}
