/** Since when there are changes of tenants that no status tells; by tenant, on the clock. */
export class PendingChanges {
  readonly #waiting = new Map<string, number>();
  readonly #looking = new Map<string, number>();

  /** A watch has told of a change. */
  record(tenant: string, now: number): void {
    if (!this.#waiting.has(tenant)) this.#waiting.set(tenant, now);
  }

  /** The tenant is looked at: what changes from here on is for the next look. */
  begin(tenant: string): void {
    // A look that failed has left its own, which is earlier.
    const since = this.#looking.get(tenant) ?? this.#waiting.get(tenant);
    this.#waiting.delete(tenant);
    if (since !== undefined) this.#looking.set(tenant, since);
  }

  /** Since when there was a change, where the look was about one. */
  since(tenant: string): number | undefined {
    return this.#looking.get(tenant);
  }

  /** The look has come to its end. */
  end(tenant: string): void {
    this.#looking.delete(tenant);
  }

  /** The tenant is gone. */
  forget(tenant: string): void {
    this.#waiting.delete(tenant);
    this.#looking.delete(tenant);
  }
}
