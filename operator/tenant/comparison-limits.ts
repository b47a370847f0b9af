import { AccessDenied } from '@tenantry/runtime/errors/client-errors';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { reactionTo } from '@tenantry/runtime/errors/reaction';

/** Milliseconds for which comparisons of a tenant may fail before its status reports an unknown state. */
const MAX_FAILURE = 30_000;

/** The times since when tenants could not be compared, on the clock, by tenant. */
export class Failures {
  readonly #since = new Map<string, number>();

  /** Records a failure. Returns whether to report it, because it lasts or somebody has to correct something. */
  shouldReport(tenant: string, error: unknown, now: number): boolean {
    const since = this.#since.get(tenant) ?? now;
    this.#since.set(tenant, since);
    const isForSomebody =
      error instanceof AccessDenied ||
      (error instanceof ApiError && reactionTo(error) === 'give up');
    return isForSomebody || now - since >= MAX_FAILURE;
  }

  /** The tenant was compared successfully. */
  forget(tenant: string): void {
    this.#since.delete(tenant);
  }
}

/** The rate limit of comparisons that cost requests. */
const LIMIT = { burst: 10, every: 5_000 } as const;

interface Budget {
  /** Comparisons that are left. */
  left: number;
  /** The time of that count, on the clock. */
  at: number;
}

/**
 * Limits comparisons that read or write, for each tenant: a burst of ten, then one every five seconds. So a program
 * that writes an object many times a second costs few requests, and its last write is still reported.
 */
export class ComparisonRateLimiter {
  readonly #budgets = new Map<string, Budget>();

  /** Returns the milliseconds until the tenant may be compared; 0 means now. */
  remaining(tenant: string, now: number): number {
    const left = this.#left(tenant, now);
    return left >= 1 ? 0 : Math.ceil((1 - left) * LIMIT.every);
  }

  /** Records a comparison that cost a request. */
  consume(tenant: string, now: number): void {
    this.#budgets.set(tenant, { left: Math.max(0, this.#left(tenant, now) - 1), at: now });
  }

  forget(tenant: string): void {
    this.#budgets.delete(tenant);
  }

  #left(tenant: string, now: number): number {
    const budget = this.#budgets.get(tenant);
    if (!budget) return LIMIT.burst;
    return Math.min(LIMIT.burst, budget.left + (now - budget.at) / LIMIT.every);
  }
}
