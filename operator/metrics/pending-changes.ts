/** The start times of changes that no status reflects yet, by tenant, on the clock. */
export class PendingChanges {
  readonly #waiting = new Map<string, number>();
  readonly #looking = new Map<string, number>();

  /** Records a change that a watch has delivered. */
  record(tenant: string, now: number): void {
    if (!this.#waiting.has(tenant)) this.#waiting.set(tenant, now);
  }

  /** A comparison of the tenant begins. Later changes count for the next comparison. */
  begin(tenant: string): void {
    // A failed comparison has left its start time, which is earlier.
    const since = this.#looking.get(tenant) ?? this.#waiting.get(tenant);
    this.#waiting.delete(tenant);
    if (since !== undefined) this.#looking.set(tenant, since);
  }

  /** Returns the time of the change that the comparison covers, if any. */
  since(tenant: string): number | undefined {
    return this.#looking.get(tenant);
  }

  /** The comparison has ended. */
  end(tenant: string): void {
    this.#looking.delete(tenant);
  }

  /** Drops a deleted tenant. */
  forget(tenant: string): void {
    this.#waiting.delete(tenant);
    this.#looking.delete(tenant);
  }
}
