import { Failure, NotChecked } from './failure.ts';
import { Duration, floorDivide, Timestamp } from './value.ts';

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: MINUTE,
  h: HOUR,
};

/** `1h30m`, `-1.5s`; undefined where the text is no duration of Go. */
export function parseDuration(text: string): Duration | undefined {
  const [, sign, rest] = /^([+-]?)(.*)$/s.exec(text)!;
  if (rest === '0') return new Duration(0n);
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest!)) return undefined;
  let nanos = 0n;
  for (const [, whole, fraction = '', unit] of rest!.matchAll(/(\d*)(?:\.(\d*))?(\D+)/g)) {
    const scale = units[unit!]!;
    nanos += BigInt(whole || 0) * scale;
    nanos += (BigInt(fraction || 0) * scale) / 10n ** BigInt(fraction.length);
  }
  try {
    return new Duration(sign === '-' ? -nanos : nanos);
  } catch {
    return undefined;
  }
}

const longUnits: readonly [RegExp, bigint][] = [
  [/^(?:ns|nano.*)$/i, 1n],
  [/^(?:us|µs|micro.*)$/i, 1000n],
  [/^(?:ms|milli.*)$/i, 1_000_000n],
  [/^(?:s|sec.*)$/i, SECOND],
  [/^(?:m|min.*)$/i, MINUTE],
  [/^(?:h|hr|hour.*)$/i, HOUR],
  [/^(?:d|day.*)$/i, 24n * HOUR],
  [/^(?:w|wk|week.*)$/i, 168n * HOUR],
];

/** What `format: duration` takes: Go's, and words such as `3 weeks`. Undefined for anything else. */
export function parseLongDuration(text: string): Duration | undefined {
  const plain = parseDuration(text);
  if (plain) return plain;
  let nanos: bigint | undefined;
  for (const [, count, unit] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const known = longUnits.find(([pattern]) => pattern.test(unit!));
    if (known) nanos = (nanos ?? 0n) + BigInt(count!) * known[1];
  }
  return nanos === undefined ? undefined : new Duration(BigInt.asIntN(64, nanos));
}

const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:(Z)|([+-])(\d\d):(\d\d))?$/;

/**
 * A time of RFC 3339, such as `2026-01-31T12:00:00.5Z`; `zoned: false` takes one without an offset
 * too, as `format: date-time` does. Undefined where the text is none.
 */
export function parseTimestamp(text: string, { zoned = true } = {}): Timestamp | undefined {
  const match = rfc3339.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const [, , , , , , , fraction = '', utc, sign, offsetHours, offsetMinutes] = match;
  if (zoned && utc === undefined && sign === undefined) return undefined;
  if (!isDate(year!, month!, day!) || hour! > 23 || minute! > 59 || second! > 59) return undefined;
  const away = Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0);
  if (Number(offsetHours ?? 0) > 24 || Number(offsetMinutes ?? 0) > 59) return undefined;
  const offset = sign === '-' ? -away : away;
  const seconds = Math.floor(utcOf(year!, month!, day!) / 1000) + hour! * 3600 + minute! * 60;
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  const total = BigInt(seconds + second! - offset * 60) * SECOND + nanos;
  return new Timestamp(total, offset);
}

/** `2026-01-31`, at midnight of UTC. */
export function parseDate(text: string): Timestamp | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return undefined;
  const [year, month, day] = match.slice(1).map(Number);
  if (!isDate(year!, month!, day!)) return undefined;
  return new Timestamp(BigInt(utcOf(year!, month!, day!)) * 1_000_000n);
}

/** Date.UTC, with the years below 100 as they are. */
function utcOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return new Date(utcOf(year, month, day)).getUTCDate() === day;
}

/** `2026-01-31T12:00:00.5+02:00`: as it was written, without zeros at the end of its fraction. */
export function formatTimestamp({ nanos, offset }: Timestamp): string {
  const local = nanos + BigInt(offset) * MINUTE;
  const seconds = floorDivide(local, SECOND);
  const text = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction = String(local - seconds * SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
  return `${text}${fraction && `.${fraction}`}${offset === 0 ? 'Z' : zone}`;
}

const two = (number: number): string => String(Math.floor(number)).padStart(2, '0');

/** Calendar fields as they stand in a zone: an offset such as `+02:00`, or a name of the IANA. */
export function inZone(time: Timestamp, zone?: string): Date {
  const milliseconds = Number(floorDivide(time.nanos, 1_000_000n));
  if (zone === undefined || zone === 'UTC' || zone === '') return new Date(milliseconds);
  const offset = /^([+-]?\d+):([+-]?\d+)$/.exec(zone);
  if (offset) {
    const minutes = Number(offset[2]);
    const away = Number(offset[1]) * 60 + (zone.startsWith('-') ? -minutes : minutes);
    return new Date(milliseconds + away * 60_000);
  }
  const parts = zoned(zone).formatToParts(milliseconds);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)!.value);
  const local = Date.UTC(
    0,
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  const moved = new Date(local);
  moved.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  return moved;
}

function zoned(timeZone: string): Intl.DateTimeFormat {
  if (/^(?:Local|localtime|posix|right|Factory)/.test(timeZone)) {
    throw new NotChecked(`it asks for the time zone ${timeZone}, which is the server's own`);
  }
  const numeric = 'numeric';
  let format: Intl.DateTimeFormat | undefined;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch {
    // Unknown here, and to Go.
  }
  if (!format || /^[+-]/.test(timeZone)) throw new Failure(`unknown time zone ${timeZone}`);
  const { timeZone: known } = format.resolvedOptions();
  if (known !== timeZone && known.toLowerCase() === timeZone.toLowerCase()) {
    throw new NotChecked(`it writes the time zone ${known} in letters of another case`);
  }
  return format;
}
