/** The durations of an election. */
export interface TimingProps {
  /**
   * Milliseconds for which nobody takes the lead from who has it, from when others last saw a sign of
   * life. Whole seconds, as a Lease says them. @default 15,000
   */
  readonly leaseDuration?: number | undefined;
  /**
   * Milliseconds for which who has the lead relies on it, from when it asked for it the last time that
   * this was granted. @default 10,000
   */
  readonly renewDeadline?: number | undefined;
  /** Milliseconds from one try to the next. @default 2,000 */
  readonly retryPeriod?: number | undefined;
}

/** How long is waited for what, in milliseconds. */
export interface Timing {
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** @throws {RangeError} where the durations do not leave time for each other */
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
