/** Milliseconds of the first pause, and of the longest one unless the receiver requests more. */
const first = 1000;
const longest = 60_000;

/**
 * Pauses calls to a hook whose receiver does not answer, for all tenants. A receiver that is slow or down is not called
 * a thousand times, and does not keep workers from other hooks.
 */
export class CircuitBreaker {
  readonly #resting = new Map<string, { readonly until: number; readonly failures: number }>();

  /** Returns the milliseconds that are left of the pause. */
  remaining(hook: string, now: number): number {
    return Math.max(0, (this.#resting.get(hook)?.until ?? 0) - now);
  }

  /**
   * Starts a pause.
   * @param asked milliseconds that the receiver requests
   */
  open(hook: string, now: number, asked = 0): void {
    const failures = (this.#resting.get(hook)?.failures ?? 0) + 1;
    const own = Math.min(first * 2 ** (failures - 1), longest);
    this.#resting.set(hook, { until: now + Math.max(own, asked), failures });
  }

  /** Ends the pause: the receiver has answered. */
  close(hook: string): void {
    this.#resting.delete(hook);
  }
}
