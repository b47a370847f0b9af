/** The durations of an election. */
export interface TimingProps {
  /**
   * Milliseconds for which no other replica takes the lead, since it last saw a renewal. Whole seconds, as in a Lease.
   * @default 15,000
   */
  readonly leaseDuration?: number | undefined;
  /**
   * Milliseconds for which the leader relies on the lock, since the start of its last successful renewal.
   * @default 10,000
   */
  readonly renewDeadline?: number | undefined;
  /** Milliseconds between attempts. @default 2,000 */
  readonly retryPeriod?: number | undefined;
}

/** The resolved durations, in milliseconds. */
export interface Timing {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** @throws {RangeError} if the durations leave no time for each other */
export function resolveTiming(
  props: TimingProps,
  defaults: Timing = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 },
): Timing {
  const { leaseDuration = defaults.leaseDuration } = props;
  const { renewDeadline = defaults.renewDeadline, retryPeriod = defaults.retryPeriod } = props;
  const must = (holds: boolean, name: string, what: string, got: number): void => {
    if (!holds) throw new RangeError(`${name} must be ${what}, got ${got}`);
  };
  const seconds = leaseDuration / 1000;
  must(Number.isInteger(seconds) && seconds >= 1, 'leaseDuration', 'whole seconds', leaseDuration);
  const longest = `above 0 and below the leaseDuration of ${leaseDuration} ms`;
  must(renewDeadline > 0 && renewDeadline < leaseDuration, 'renewDeadline', longest, renewDeadline);
  const half = `above 0 and at most half of the renewDeadline of ${renewDeadline} ms`;
  must(retryPeriod > 0 && retryPeriod <= renewDeadline / 2, 'retryPeriod', half, retryPeriod);
  return { leaseDuration, renewDeadline, retryPeriod };
}
