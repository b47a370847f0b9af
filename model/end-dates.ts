/** Days before the end date in which it is reported. */
const NOTICE_DAYS = 30;

/** Something with a last day, as `2027-01-31` in UTC. */
interface Dated {
  readonly until: string;
}

/**
 * Whether something is over on a date. The last day is included, and a thing without a last day does not end.
 * @param date undefined if it is not known; then nothing is over
 */
export function hasEnded(until: string | undefined, date: string | undefined): boolean {
  return until !== undefined && date !== undefined && until < date;
}

/**
 * The dates on which a rendering stays the same: from a first day on, and before another one. Absent bounds are open.
 * It is plain data.
 */
export interface Period {
  readonly from?: string;
  readonly before?: string;
}

/** Returns the period around a date in which nothing ends, and no end comes near. */
export function findPeriod(endings: readonly Dated[], date: string): Period {
  const changes = endings.flatMap(({ until }) => [noticeDay(until), addDays(until, 1)]).toSorted();
  const from = changes.findLast((one) => one <= date);
  const before = changes.find((one) => one > date);
  return { ...(from !== undefined && { from }), ...(before !== undefined && { before }) };
}

/** Whether a date is in a period. An unknown date is in none. */
export function isInPeriod({ from, before }: Period, date: string | undefined): boolean {
  if (date === undefined) return false;
  return (from === undefined || from <= date) && (before === undefined || date < before);
}

/** Returns the milliseconds from a point in time to the first end after it; undefined if nothing ends. */
export function millisecondsToNextEnd(endings: readonly Dated[], now: Date): number | undefined {
  const ends = endings.map(({ until }) => Date.parse(`${until}T00:00:00Z`) + DAY - now.getTime());
  const next = Math.min(...ends.filter((left) => left > 0));
  return Number.isFinite(next) ? next : undefined;
}

/** Returns the first day on which an end is reported in advance. */
export function noticeDay(until: string): string {
  return addDays(until, -NOTICE_DAYS);
}

/** Returns the date in UTC: `2027-01-31`. */
export function formatDate(time: Date): string {
  return time.toISOString().slice(0, 10);
}

const DAY = 86_400_000;

/** Adds days to a date, within the years that four digits can express. */
function addDays(date: string, days: number): string {
  const sum = new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString();
  if (sum.startsWith('-')) return '0000-01-01';
  return sum.startsWith('+') ? '9999-12-31' : sum.slice(0, 10);
}
