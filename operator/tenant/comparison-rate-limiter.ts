/** How often a tenant is compared where each time costs requests. */
const LIMIT = { burst: 10, every: 5_000 } as const;

interface Spent {
  /** Comparisons that are left. */
  left: number;
  /** On the clock: when that was so. */
  at: number;
}

/**
 * Limits comparisons that read or write: ten at once, and one in five seconds in the long run, for each tenant. A
 * program that writes an object many times a second then costs a few requests, and what it wrote last is reported.
 */
export class ComparisonRateLimiter {
  readonly #spent = new Map<string, Spent>();

  /** Milliseconds until the tenant may be compared; 0: now. */
  remaining(tenant: string, now: number): number {
    const left = this.#left(tenant, now);
    return left >= 1 ? 0 : Math.ceil((1 - left) * LIMIT.every);
  }

  /** A comparison has cost a request. */
  consume(tenant: string, now: number): void {
    this.#spent.set(tenant, { left: Math.max(0, this.#left(tenant, now) - 1), at: now });
  }

  forget(tenant: string): void {
    this.#spent.delete(tenant);
  }

  #left(tenant: string, now: number): number {
    const spent = this.#spent.get(tenant);
    if (!spent) return LIMIT.burst;
    return Math.min(LIMIT.burst, spent.left + (now - spent.at) / LIMIT.every);
  }
}
