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

/** Milliseconds after which the worker of an unfinished share counts as dead. */
const PATIENCE = 60_000;
/** The maximum number of threads. More would wait for the thread that writes the output. */
const MOST = 8;

/** The limits of a worker. A share is finished quickly, and garbage is collected early. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/** Returns the default number of render threads: one per core, without the one that writes. */
export function usualWorkers(): number {
  return Math.max(1, Math.min(availableParallelism() - 1, MOST));
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
