/** Times as Kubernetes' OpenAPI formats take them; each in Go's own words. */

const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;

/** `2006-01-02`, a day that exists. */
export function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  const days = daysOf(Number(year), Number(month));
  return day !== '' && Number(day) >= 1 && Number(day) <= days;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u;

/** A date, `T` and a time with its zone; what follows a second `T` is not looked at. */
export function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date)) return false;
  const [, hours, minutes, seconds] = TIME.exec(time) ?? [];
  return hours !== undefined && hours <= '23' && minutes! <= '59' && seconds! <= '59';
}

const RFC3339 =
  /^(\d{4}-\d\d-\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:(Z)|([+-])(\d\d):(\d\d))?$/;

/** A point in time, as it was written. */
export interface Time {
  /** Since 1970 in UTC. */
  readonly nanos: bigint;
  /** In minutes. */
  readonly offset: number;
}

/**
 * A time of RFC 3339 as Go's time.Parse reads it, such as `2026-01-31T12:00:00.5Z`; without an
 * offset it is one of UTC. Undefined where the text is not one. What `isDateTime` takes is another
 * thing: the API server checks the format by a pattern of its own, and reads the value by this one.
 */
export function parseTime(text: string): (Time & { readonly isZoned: boolean }) | undefined {
  const match = RFC3339.exec(text);
  if (!match || !isDate(match[1]!)) return undefined;
  const [, date, hour, minute, second, fraction = '', utc, sign, hours = 0, minutes = 0] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  // Go takes these two, which are not hours and minutes of a day.
  if (Number(hours) > 24 || Number(minutes) > 60) return undefined;
  const away = Number(hours) * 60 + Number(minutes);
  const offset = sign === '-' ? -away : away;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset * 60;
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  const isZoned = utc !== undefined || sign !== undefined;
  return { nanos: nanosOfDate(date!) + BigInt(seconds) * SECOND + nanos, offset, isZoned };
}

/** Nanoseconds from 1970 to the midnight of UTC that a date begins with. */
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

/** The largest number of 64 bits. */
const MOST = 2n ** 63n - 1n;

/** `1h30m`, `-1.5s`: in nanoseconds; undefined where the text is no duration of Go. */
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
  if (text.startsWith('-')) return nanos > MOST + 1n ? undefined : -nanos;
  return nanos > MOST ? undefined : nanos;
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
 * What `format: duration` takes, in nanoseconds: Go's own, or a text with numbers and units in it
 * (`about 5 minutes`), whose sum wraps around at 64 bits. Undefined for anything else.
 */
export function parseLongDuration(text: string): bigint | undefined {
  const plain = parseDuration(text);
  if (plain !== undefined) return plain;
  let nanos: bigint | undefined;
  for (const [, number = '', unit = ''] of text.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (BigInt(number) > MOST) return undefined;
    const known = wordUnits.find(([pattern]) => pattern.test(unit));
    if (known) nanos = (nanos ?? 0n) + BigInt(number) * known[1];
  }
  return nanos === undefined ? undefined : BigInt.asIntN(64, nanos);
}

export function isDuration(text: string): boolean {
  return parseLongDuration(text) !== undefined;
}

/**
 * Whether a text names a time zone as programs in Go find it: their files have it in these letters alone, and no
 * offsets.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // The names of aliases are others.
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
