/** Who of several replicas of an operator works. */
export interface LeaderElection {
  /** What is held by who leads, as metrics name it. @default leader */
  readonly name?: string | undefined;
  /**
   * Calls `lead` whenever this replica begins to lead. `leading` aborts as soon as it can no longer be
   * sure to lead: from then on nothing may be written. Once `signal` aborts, `lead` ends by itself; the
   * lease is kept until it has, and then given back. Resolves after that, and rejects with what `lead`
   * rejects with.
   */
  run(lead: (leading: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
  /**
   * Whether a write may be started now. It reads the time, so that it holds too where the event loop
   * stood still, and `leading` could not abort yet.
   */
  isLeading(): boolean;
}

/** Leads at once and for ever: right where there is never more than one replica. */
export const alwaysLeads: LeaderElection = {
  run: (lead, signal) => (signal.aborted ? Promise.resolve() : lead(new AbortController().signal)),
  isLeading: () => true,
};
