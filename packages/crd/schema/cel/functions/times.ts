import type { Functions } from '../overload.ts';
import { inZone } from '../time.ts';
import { floorDivide, type Duration, type Timestamp } from '../value.ts';

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
