import { AccessDenied } from '../../runtime/errors/access-denied.ts';
import { ApiError } from '../../runtime/errors/api-error.ts';
import { reactionTo } from '../../runtime/errors/reaction.ts';

/** Milliseconds for which a tenant may fail to be compared before its status says that nothing is known. */
const LONGEST_FAILURE = 30_000;

/** Since when tenants could not be compared, on the clock; by tenant. */
export class Failures {
  readonly #since = new Map<string, number>();

  /** Notes a failure, and whether it is to be reported: somebody has to mend something, or it lasts. */
  shouldReport(tenant: string, error: unknown, now: number): boolean {
    const since = this.#since.get(tenant) ?? now;
    this.#since.set(tenant, since);
    const isForSomebody =
      error instanceof AccessDenied ||
      (error instanceof ApiError && reactionTo(error) === 'give up');
    return isForSomebody || now - since >= LONGEST_FAILURE;
  }

  /** The tenant was compared. */
  forget(tenant: string): void {
    this.#since.delete(tenant);
  }
}
