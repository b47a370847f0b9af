/** Grace periods for conditions of tenants' objects, in memory. */
export class GracePeriods {
  readonly #milliseconds: number;
  /** By tenant, then by key. */
  readonly #since = new Map<string, ReadonlyMap<string, number>>();

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Begins the period of each new key, and drops all other keys of the tenant. */
  observe(tenant: string, keys: readonly string[], now: number): void {
    const known = this.#since.get(tenant);
    if (keys.length === 0) this.#since.delete(tenant);
    else this.#since.set(tenant, new Map(keys.map((key) => [key, known?.get(key) ?? now])));
  }

  /** Returns the milliseconds that are left; 0 when the period is over, and for an unknown key. */
  remaining(tenant: string, key: string, now: number): number {
    const since = this.#since.get(tenant)?.get(key);
    return since === undefined ? 0 : Math.max(0, since + this.#milliseconds - now);
  }

  forget(tenant: string): void {
    this.#since.delete(tenant);
  }
}
