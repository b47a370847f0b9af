/** Milliseconds within which who applies from Git makes again what is gone; Argo CD does within seconds. */
export const PRECEDENCE = 15_000;

/**
 * Since when role bindings are missing of tenants that somebody applies from Git. Who does that makes them again
 * first: with a tenant that is taken away its bindings go some moments before it, or after, and what the operator made
 * in between nobody would take away.
 */
export class Absences {
  /** By tenant, then by `identityOf` the binding. */
  readonly #since = new Map<string, ReadonlyMap<string, number>>();

  /** Those that are missing now: all others are forgotten. */
  see(tenant: string, missing: readonly string[], now: number): void {
    const known = this.#since.get(tenant);
    if (missing.length === 0) this.#since.delete(tenant);
    else this.#since.set(tenant, new Map(missing.map((key) => [key, known?.get(key) ?? now])));
  }

  /** Milliseconds until it may be made; 0: now. */
  left(tenant: string, key: string, now: number): number {
    const since = this.#since.get(tenant)?.get(key);
    return since === undefined ? 0 : Math.max(0, since + PRECEDENCE - now);
  }

  forget(tenant: string): void {
    this.#since.delete(tenant);
  }
}
