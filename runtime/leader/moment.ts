import type { Clock } from '../clock/clock.ts';

/** A point in time of this process. */
export interface Moment {
  readonly monotonic: number;
  readonly date: number;
}

export function captureMoment(clock: Clock): Moment {
  return { monotonic: clock.now(), date: clock.date().getTime() };
}

/**
 * Returns at least the milliseconds that have passed since. After a suspension of the machine only the date has
 * advanced. A date that is set forward makes the result too large; one that is set back has no effect. So it shows what
 * may have expired, not what surely has.
 */
export function millisecondsSince(clock: Clock, { monotonic, date }: Moment): number {
  return Math.max(clock.now() - monotonic, clock.date().getTime() - date);
}
