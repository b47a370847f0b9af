import { isAborted } from '../errors/reaction.ts';
import type { Log } from '../log/log.ts';
import type { Clock } from '../clock/clock.ts';

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
      if (!isAborted(error, signal)) this.#recordFailure(name, error);
    } finally {
      this.#running.delete(task);
    }
  }

  #recordFailure(task: string, error: unknown): void {
    this.#log.error('a task failed, and ends the manager', { task, error });
    this.#shutdown.fail(error);
  }
}

/** Work beside controllers: a server, a timer. */
export interface Runnable {
  /** The name in logs and errors. */
  readonly name: string;
  /**
   * Whether it runs only while this replica leads, from the start each time it begins to lead.
   * @default false
   */
  readonly needsLeadership?: boolean | undefined;
  /**
   * Runs until the signal aborts or its work is done. A rejection ends the manager, except with the signal's reason or,
   * once it has aborted, any AbortError.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** The fraction of the shutdown time after which nothing may be written any more. */
const writableFraction = 0.9;

/** An orderly shutdown: once, for one reason, within a time limit. */
export class Shutdown {
  readonly #clock: Clock;
  readonly #within: number;
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  readonly #overdue = Promise.withResolvers<void>();
  readonly #timers: (() => void)[] = [];
  #failure: { readonly error: unknown } | undefined;

  /** @param within milliseconds */
  constructor(clock: Clock, within: number) {
    this.#clock = clock;
    this.#within = within;
  }

  /** Aborts when everything should come to an end. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** Aborts when nothing may be written any more. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Resolves when the time is over. */
  get overdue(): Promise<void> {
    return this.#overdue.promise;
  }

  /** The first error that caused the shutdown. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Begins the shutdown. The first of several reasons counts. */
  begin(reason: unknown): void {
    if (this.stop.aborted) return;
    this.#stop.abort(reason);
    const late = new Error(`the shutdown did not finish within ${this.#within / 1000} s`);
    this.#timers.push(
      this.#clock.after(this.#within * writableFraction, () => this.#cut.abort(late)),
      this.#clock.after(this.#within, () => this.#overdue.resolve()),
    );
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.begin(error);
  }

  /** Clears all timers, when everything has ended. */
  end(): void {
    for (const cancel of this.#timers) cancel();
  }
}

/** A signal that aborts when the process has to terminate. */
interface Termination {
  readonly signal: AbortSignal;
  end(): void;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/** Aborts the signal at the first SIGTERM or SIGINT. A second one ends the process, as without a listener. */
export function listenForTermination(): Termination {
  const controller = new AbortController();
  const end = (): void => {
    for (const signal of signals) process.removeListener(signal, stop);
  };
  const stop = (signal: NodeJS.Signals): void => {
    end();
    controller.abort(new Error(`got ${signal}`));
  };
  for (const signal of signals) process.on(signal, stop);
  return { signal: controller.signal, end };
}

interface RejectionHandler {
  end(): void;
}

/**
 * Handles unhandled rejections, for example of a reconcile without `await`. Node would end the process for them, again
 * after each restart, and nothing would be reconciled any more.
 */
export function handleRejections(handle: (error: unknown) => void): RejectionHandler {
  const listener = (error: unknown): void => handle(error);
  process.on('unhandledRejection', listener);
  return { end: () => void process.removeListener('unhandledRejection', listener) };
}
