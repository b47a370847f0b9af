import { workerData, type MessagePort } from 'node:worker_threads';
import { Shares } from './shares.ts';

/** The data that a worker is started with. */
export interface WorkerStart {
  readonly shares: number;
  readonly cells: Int32Array;
  readonly port: MessagePort;
  /** The task for the program of the worker. */
  readonly task: unknown;
}

/** The result of a share. */
export interface ShareDone {
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
