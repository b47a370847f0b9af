import { until as waitUntil } from '../waiting/until.ts';

/** `until` with its seconds in front, as the tests of this repository say it. */
export function until<T>(
  what: string,
  seconds: number,
  ask: () => T | Promise<T>,
): Promise<Exclude<T, undefined | null | false>> {
  return waitUntil(what, ask, { within: seconds * 1000 });
}
