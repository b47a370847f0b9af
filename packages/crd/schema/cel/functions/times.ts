import {
  isDate,
  nanosOfDate,
  parseDuration as durationOf,
  parseLongDuration as longDurationOf,
  parseTime,
} from '@tenantry/kube/time';
import type { Functions } from '../overload.ts';
import { floorDivide, Duration, Timestamp } from '../value.ts';
import { Failure, Undecided } from '../failure.ts';

const DAY = 86_400_000;

const fields: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDayOfYear: (date) =>
    Math.floor((date.getTime() - new Date(0).setUTCFullYear(date.getUTCFullYear(), 0, 1)) / DAY),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDate: (date) => date.getUTCDate(),
  getDayOfWeek: (date) => date.getUTCDay(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
};

const ofTimestamps = Object.fromEntries(
  Object.entries(fields).flatMap(([name, field]) => [
    [`timestamp::${name}(): int`, (time: Timestamp) => BigInt(field(inZone(time)))],
    [
      `timestamp::${name}(string): int`,
      (time: Timestamp, zone: string) => BigInt(field(inZone(time, zone))),
    ],
  ]),
) as Functions;

const milliseconds = ({ nanos }: Timestamp): bigint => {
  const whole = floorDivide(nanos, 1_000_000n);
  return whole - floorDivide(whole, 1000n) * 1000n;
};

/** The fields of timestamps, and durations in whole units, truncated towards zero. */
export const times: Functions = {
  ...ofTimestamps,
  'timestamp::getMilliseconds(): int': milliseconds,
  'timestamp::getMilliseconds(string): int': (time: Timestamp, zone: string) => {
    inZone(time, zone);
    return milliseconds(time);
  },
  'duration::getHours(): int': ({ nanos }: Duration) => nanos / 3_600_000_000_000n,
  'duration::getMinutes(): int': ({ nanos }: Duration) => nanos / 60_000_000_000n,
  'duration::getSeconds(): int': ({ nanos }: Duration) => nanos / 1_000_000_000n,
  'duration::getMilliseconds(): int': ({ nanos }: Duration) => nanos / 1_000_000n,
};

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;

/** Parses a Go duration such as `1h30m` or `-1.5s`; undefined if the text is not one. */
export function parseDuration(text: string): Duration | undefined {
  const nanos = durationOf(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

/** Parses what `format: duration` accepts: Go durations, and words such as `3 weeks`. Undefined for anything else. */
export function parseLongDuration(text: string): Duration | undefined {
  const nanos = longDurationOf(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

/**
 * Parses an RFC 3339 time such as `2026-01-31T12:00:00.5Z`. `zoned: false` also accepts a time without an offset, as
 * `format: date-time` does. Returns undefined if the text is not a time.
 */
export function parseTimestamp(text: string, { zoned = true } = {}): Timestamp | undefined {
  const time = parseTime(text);
  if (!time || (zoned && !time.isZoned)) return undefined;
  return new Timestamp(time.nanos, time.offset);
}

/** Parses a date such as `2026-01-31` to midnight UTC. */
export function parseDate(text: string): Timestamp | undefined {
  return isDate(text) ? new Timestamp(nanosOfDate(text)) : undefined;
}

/** Formats a time as it was written, without trailing zeros in its fraction: `2026-01-31T12:00:00.5+02:00`. */
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

/** Returns the calendar fields of a time in a zone: an offset such as `+02:00`, or an IANA name. */
function inZone(time: Timestamp, zone?: string): Date {
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
    throw new Undecided(`it uses the time zone ${timeZone}, which is the server's own`);
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
    // The zone is unknown to JavaScript, and to Go.
  }
  if (!format || /^[+-]/.test(timeZone)) throw new Failure(`unknown time zone ${timeZone}`);
  const { timeZone: known } = format.resolvedOptions();
  if (known !== timeZone && known.toLowerCase() === timeZone.toLowerCase()) {
    throw new Undecided(`it writes the time zone ${known} in letters of another case`);
  }
  return format;
}
