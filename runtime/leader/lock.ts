/** A lock that at most one replica holds. Each method makes one attempt, and ends with the signal. */
export interface Lock {
  /** The name in logs: `lease shop/operator`. */
  readonly description: string;
  /** The last known holder. */
  readonly holder: string | undefined;
  /**
   * Tries to acquire the lock, and returns whether it is held now. No other replica has relied on it since by its own
   * clock, which may differ from this one by the rate that the timing allows for.
   */
  acquire(signal: AbortSignal): Promise<boolean>;
  /** Returns whether it is still held; rejects if that is not known. */
  renew(signal: AbortSignal): Promise<boolean>;
  /** Releases the lock for the next replica. Does nothing if another one holds it. */
  release(signal: AbortSignal): Promise<void>;
}
