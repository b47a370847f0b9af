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
 * How many milliseconds have passed since, and never fewer: where the machine was suspended, the date
 * alone has gone on. A date that is put forward makes it too much, one that is put back nothing. So it
 * tells what may be over, and not what surely is.
 */
export function millisecondsSince(clock: Clock, { monotonic, date }: Moment): number {
  return Math.max(clock.now() - monotonic, clock.date().getTime() - date);
}
