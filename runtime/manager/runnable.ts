/** Work beside controllers: a server, a timer. */
export interface Runnable {
  /** The name in logs and errors. */
  readonly name: string;
  /**
   * Whether it runs only while this replica leads, from the start each time it begins to lead.
   * @default false
   */
  readonly needsLeadership?: boolean | undefined;
  /**
   * Runs until the signal aborts or its work is done. A rejection ends the manager, except with the signal's reason or,
   * once it has aborted, any AbortError.
   */
  run(signal: AbortSignal): Promise<void>;
}
