import { isAborted } from '../errors/aborted.ts';
import type { Log } from '../log/log.ts';
import type { Shutdown } from './shutdown.ts';

/** What a manager runs, by name: the first of it that fails ends everything. */
export class Tasks {
  readonly #shutdown: Shutdown;
  readonly #log: Log;
  readonly #running = new Set<{ readonly name: string; readonly details: () => string }>();

  constructor(shutdown: Shutdown, log: Log) {
    this.#shutdown = shutdown;
    this.#log = log;
  }

  /** What has not ended, with details. */
  get running(): string[] {
    return [...this.#running].map(({ name, details }) => `${name}${details()}`);
  }

  /** Resolves when it has ended, however that was. `signal` is the one by which it is asked to. */
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
