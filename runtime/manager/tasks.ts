import { isAborted } from '../errors/aborted.ts';
import type { Log } from '../log/log.ts';
import type { Shutdown } from './shutdown.ts';

/** The tasks of a manager, by name. The first one that fails ends everything. */
export class Tasks {
  readonly #shutdown: Shutdown;
  readonly #log: Log;
  readonly #running = new Set<{ readonly name: string; readonly details: () => string }>();

  constructor(shutdown: Shutdown, log: Log) {
    this.#shutdown = shutdown;
    this.#log = log;
  }

  /** The tasks that have not ended, with details. */
  get running(): string[] {
    return [...this.#running].map(({ name, details }) => `${name}${details()}`);
  }

  /** Starts a task. Resolves when it has ended, successfully or not. `signal` is the one that requests its end. */
  async start(
    name: string,
    signal: AbortSignal,
    run: () => Promise<void>,
    details: () => string = () => '',
  ): Promise<void> {
    const task = { name, details };
    this.#running.add(task);
    try {
      await run();
    } catch (error) {
      if (!isAborted(error, signal)) this.#failed(name, error);
    } finally {
      this.#running.delete(task);
    }
  }

  #failed(task: string, error: unknown): void {
    this.#log.error('a task failed, and ends the manager', { task, error });
    this.#shutdown.fail(error);
  }
}
