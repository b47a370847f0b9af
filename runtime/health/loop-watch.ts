import type { Clock } from '../clock/clock.ts';
import type { HealthCheck } from './check.ts';

export interface EventLoopMonitorProps {
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
