/** Milliseconds: after the first call without an answer, and those that are never passed without being asked to. */
const first = 1000;
const longest = 60_000;

/**
 * Hooks whose other side serves nobody at the moment are left alone for a while, for all tenants: what is slow or
 * away is not asked a thousand times over, and keeps no worker from other hooks.
 */
export class CircuitBreaker {
  readonly #resting = new Map<string, { readonly until: number; readonly failures: number }>();

  /** Milliseconds that are left of it. */
  remaining(hook: string, now: number): number {
    return Math.max(0, (this.#resting.get(hook)?.until ?? 0) - now);
  }

  /** @param asked milliseconds that the other side asks for */
  open(hook: string, now: number, asked = 0): void {
    const failures = (this.#resting.get(hook)?.failures ?? 0) + 1;
    const own = Math.min(first * 2 ** (failures - 1), longest);
    this.#resting.set(hook, { until: now + Math.max(own, asked), failures });
  }

  /** The other side has answered. */
  close(hook: string): void {
    this.#resting.delete(hook);
  }
}
