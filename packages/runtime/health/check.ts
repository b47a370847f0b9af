import type { Clock } from '../clock/clock.ts';

/**
 * A problem whose message may be shown to everybody who can reach the port. It may name kinds and checks, but no
 * objects, addresses or credentials.
 */
export class PublicProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PublicProblem';
  }
}

/** A check that passes if all is well. */
export interface HealthCheck {
  /** A DNS label, used in paths and answers. */
  readonly name: string;
  /**
   * Throws or rejects if the check fails, with a sentence that explains why. `?verbose` shows only the message of a
   * `PublicProblem`; the log shows all. The signal aborts when the answer is no longer needed.
   */
  check(signal: AbortSignal): void | Promise<void>;
}

/**
 * Creates a check that fails while a piece of work takes longer than so many milliseconds: a reconcile that never ends.
 * `inWork` returns how long each one has taken so far.
 */
export function createStuckWorkCheck(
  name: string,
  longest: number,
  inWork: () => Iterable<readonly [key: string, milliseconds: number]>,
): HealthCheck {
  return {
    name,
    check() {
      for (const [key, milliseconds] of inWork()) {
        if (milliseconds <= longest) continue;
        throw new Error(`${key} must end within ${longest} ms, got ${Math.round(milliseconds)} ms`);
      }
    },
  };
}

interface EventLoopMonitorProps {
  readonly clock: Clock;
  /** The most milliseconds of the last minute for which the event loop may be blocked. @default 30,000 */
  readonly longest?: number | undefined;
  /** Called when the loop was blocked for so many milliseconds, a second or more. It must not throw. */
  readonly stalled?: ((milliseconds: number) => void) | undefined;
}

const period = 1000;
const span = 60_000;

/**
 * Detects with a timer, afterwards, that the event loop was blocked. A completely blocked loop answers no probe, which
 * the kubelet treats as a failure. This check is for one that barely progresses and still happens to answer.
 */
export class EventLoopMonitor implements HealthCheck {
  readonly name = 'event-loop';
  readonly #props: EventLoopMonitorProps;
  #stalls: { readonly end: number; readonly milliseconds: number }[] = [];

  constructor(props: EventLoopMonitorProps) {
    this.#props = props;
  }

  /** Monitors the loop until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, stalled } = this.#props;
    while (!signal.aborted) {
      const due = clock.now() + period;
      await clock.sleep(period, signal).catch(() => {});
      const milliseconds = clock.now() - due;
      if (milliseconds < period) continue;
      this.#stalls.push({ end: clock.now(), milliseconds });
      stalled?.(milliseconds);
    }
  }

  check(): void {
    const { clock, longest = 30_000 } = this.#props;
    const begin = clock.now() - span;
    this.#stalls = this.#stalls.filter(({ end }) => end > begin);
    const sum = this.#stalls.reduce(
      (sum, { end, milliseconds }) => sum + Math.min(milliseconds, end - begin),
      0,
    );
    if (sum <= longest) return;
    throw new Error(
      `of the last ${span} ms the event loop must stand still for at most ${longest}, got ${Math.round(sum)}`,
    );
  }
}
