/** Elects the one of several replicas of an operator that works. */
export interface LeaderElection {
  /** The name of the lock in metrics. @default leader */
  readonly name?: string | undefined;
  /**
   * Calls `lead` each time this replica begins to lead. `leading` aborts as soon as the leadership is not certain any
   * more; from then on nothing may be written. Once `signal` aborts, `lead` must end; the lease is kept until then, and
   * released afterwards. Resolves after that, and rejects with the error of `lead`.
   */
  run(lead: (leading: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  /**
   * Whether a write may start now. It reads the clock, so it is right even if the event loop was blocked and `leading`
   * could not abort yet.
   */
  isLeading(): boolean;
}

/** Leads at once and forever. Only for a single replica. */
export const alwaysLeads: LeaderElection = {
  run: (lead, signal) => (signal.aborted ? Promise.resolve() : lead(new AbortController().signal)),
  isLeading: () => true,
};
