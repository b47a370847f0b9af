import { workerData, type MessagePort } from 'node:worker_threads';
import { Shares } from './shares.ts';

/** What a worker is started with. */
export interface WorkerStart {
  readonly shares: number;
  readonly cells: Int32Array;
  readonly port: MessagePort;
  /** What is to be done, for the program of the worker. */
  readonly task: unknown;
}

/** What came of a share. */
export interface ShareDone {
  readonly share: number;
  readonly result: unknown;
}

/**
 * Runs in a worker, to the end: does the shares that it gets hold of.
 * @param begin gets the task, and gives what does a share; what it throws for one leaves that share
 * to the program, which meets the error itself
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
      // The program does it.
    } finally {
      shares.settle(share, isDone);
    }
  }
}
