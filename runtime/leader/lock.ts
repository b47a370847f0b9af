/** What at most one replica holds. Each method makes one try, and ends with the signal. */
export interface Lock {
  /** As logs name it: `lease shop/operator`. */
  readonly description: string;
  /** Who was last seen to hold it. */
  readonly holder: string | undefined;
  /**
   * Whether it is held now. Others have not relied on it since, by their clocks, which may differ from
   * ours by the rate that the timing leaves room for.
   */
  acquire(signal: AbortSignal): Promise<boolean>;
  /** Whether it is still held; rejects when that is not known. */
  renew(signal: AbortSignal): Promise<boolean>;
  /** Gives it to whoever is first. Does nothing when another holds it. */
  release(signal: AbortSignal): Promise<void>;
}
