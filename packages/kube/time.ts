/** Parses times as Kubernetes' OpenAPI formats do, in Go's own layouts. */

/** Formats a time in UTC to the second, as metav1.Time does: `2027-01-31T09:00:00Z`. A finer one is cut. */
export function formatTime(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;

/** Whether a text is an existing day: `2006-01-02`. */
export function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  const days = countDays(Number(year), Number(month));
  return day !== '' && Number(day) >= 1 && Number(day) <= days;
}

function countDays(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u;

/** Whether a text is a date, `T` and a time with its zone; text after a second `T` is ignored. */
export function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const [, hours, minutes, seconds] = TIME.exec(time) ?? [];
  return hours !== undefined && hours <= '23' && minutes! <= '59' && seconds! <= '59';
}

const RFC3339 =
  /^(\d{4}-\d\d-\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:(Z)|([+-])(\d\d):(\d\d))?$/;

/** A point in time, as written. */
interface Time {
  /** Nanoseconds since 1970 in UTC. */
  readonly nanos: bigint;
  /** The offset in minutes. */
  readonly offset: number;
}

/**
 * Parses a time of RFC 3339 as Go's time.Parse does, such as `2026-01-31T12:00:00.5Z`; without an offset it is in UTC.
 * Undefined if the text is not one. `isDateTime` accepts other texts: the API server checks the format by its own
 * pattern, and parses the value by this one.
 */
export function parseTime(text: string): (Time & { readonly isZoned: boolean }) | undefined {
  const match = RFC3339.exec(text);
  if (!match || !isDate(match[1]!)) return undefined;
  const [, date, hour, minute, second, fraction = '', utc, sign, hours = 0, minutes = 0] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  // Go accepts these two, which are not hours and minutes of a day.
  if (Number(hours) > 24 || Number(minutes) > 60) return undefined;
  const away = Number(hours) * 60 + Number(minutes);
  const offset = sign === '-' ? -away : away;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset * 60;
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  const isZoned = utc !== undefined || sign !== undefined;
  return { nanos: nanosOfDate(date!) + BigInt(seconds) * SECOND + nanos, offset, isZoned };
}

/** Returns the nanoseconds from 1970 to the midnight in UTC with which a date begins. */
export function nanosOfDate(date: string): bigint {
  return BigInt(Date.parse(`${date}T00:00:00Z`)) * 1_000_000n;
}

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
};

/** The largest 64-bit number. */
const MAX_INT64 = 2n ** 63n - 1n;

/** Parses a duration to nanoseconds: `1h30m`, `-1.5s`; undefined if the text is not a duration of Go. */
export function parseDuration(text: string): bigint | undefined {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0n;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(unsigned)) return undefined;
  let nanos = 0n;
  for (const [, whole, fraction = '', unit] of unsigned.matchAll(/(\d*)(?:\.(\d*))?(\D+)/g)) {
    const scale = NANOSECONDS[unit!]!;
    nanos += BigInt(whole || 0) * scale;
    nanos += (BigInt(fraction || 0) * scale) / 10n ** BigInt(fraction.length);
  }
  if (text.startsWith('-')) return nanos > MAX_INT64 + 1n ? undefined : -nanos;
  return nanos > MAX_INT64 ? undefined : nanos;
}

const wordUnits: readonly [RegExp, bigint][] = [
  [/^(?:ns|nano.*)$/i, 1n],
  [/^(?:us|µs|micro.*)$/i, 1000n],
  [/^(?:ms|milli.*)$/i, 1_000_000n],
  [/^(?:s|sec.*)$/i, SECOND],
  [/^(?:m|min.*)$/i, MINUTE],
  [/^(?:h|hr|hour.*)$/i, HOUR],
  [/^(?:d|day.*)$/i, 24n * HOUR],
  [/^(?:w|wk|week.*)$/i, 168n * HOUR],
];

/**
 * Parses a text of `format: duration` to nanoseconds: a duration of Go, or a text with numbers and units in it (`about
 * 5 minutes`), whose sum wraps around at 64 bits. Undefined for anything else.
 */
export function parseLongDuration(text: string): bigint | undefined {
  const plain = parseDuration(text);
  if (plain !== undefined) return plain;
  let nanos: bigint | undefined;
  for (const [, number = '', unit = ''] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (BigInt(number) > MAX_INT64) return undefined;
    const known = wordUnits.find(([pattern]) => pattern.test(unit));
    if (known) nanos = (nanos ?? 0n) + BigInt(number) * known[1];
  }
  return nanos === undefined ? undefined : BigInt.asIntN(64, nanos);
}

export function isDuration(text: string): boolean {
  return parseLongDuration(text) !== undefined;
}

/**
 * Whether a text names a time zone as programs in Go find it: the file names are case-sensitive, and offsets are not
 * time zones.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Aliases have other names.
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
