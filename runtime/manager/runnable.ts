/** Work beside controllers: a server, a timer. */
export interface Runnable {
  /** In logs and errors. */
  readonly name: string;
  /**
   * Whether it runs only while this replica leads. It is then run anew each time it begins to lead.
   * @default false
   */
  readonly needsLeadership?: boolean | undefined;
  /**
   * Runs until the signal aborts or its work is done. What it rejects with ends the manager; the
   * signal's reason, and any AbortError after it has aborted, are no errors.
   */
  run(signal: AbortSignal): Promise<void>;
}
