import { AccessDenied } from '../../runtime/errors/access-denied.ts';
import { ApiError } from '../../runtime/errors/api-error.ts';
import { reactionTo } from '../../runtime/errors/reaction.ts';

/** Milliseconds for which comparisons of a tenant may fail before its status reports an unknown state. */
const LONGEST_FAILURE = 30_000;

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
    return isForSomebody || now - since >= LONGEST_FAILURE;
  }

  /** The tenant was compared successfully. */
  forget(tenant: string): void {
    this.#since.delete(tenant);
  }
}
