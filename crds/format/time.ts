/** Times as Kubernetes' OpenAPI formats take them; each in Go's own words. */

const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;

/** `2006-01-02`, a day that there is. */
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

const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const MOST = 2n ** 63n - 1n;

/** Go's own durations (`1h30m`), or a text with a number and a unit in it (`about 5 minutes`). */
export function isDuration(text: string): boolean {
  return isGoDuration(text) || isWordyDuration(text);
}

function isGoDuration(text: string): boolean {
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return true;
  if (!/^(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(unsigned)) return false;
  let total = 0n;
  for (const [, whole, unit] of unsigned.matchAll(/([0-9]*)(?:\.[0-9]*)?([a-zµμ]+)/g)) {
    total += BigInt(whole || '0') * NANOSECONDS[unit!]!;
  }
  return total <= MOST + (text.startsWith('-') ? 1n : 0n);
}

const words = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk']);
const beginnings = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

function isWordyDuration(text: string): boolean {
  let found = false;
  for (const [, number = '', written = ''] of text.matchAll(/([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (BigInt(number) > MOST) return false;
    const unit = written.toLowerCase();
    found ||= words.has(unit) || beginnings.some((word) => unit.startsWith(word));
  }
  return found;
}
