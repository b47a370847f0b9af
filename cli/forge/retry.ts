import { setTimeout as sleep } from 'node:timers/promises';

/** The clock that requests use. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  wait(milliseconds: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wait: async (milliseconds) => {
    await sleep(milliseconds);
  },
};

/** The number of requests for one answer. */
export const TRIES = 4;
/** The longest wait between two requests, in milliseconds. */
export const LONGEST_WAIT = 60_000;

/**
 * Returns how long to wait before the request is repeated, in milliseconds. Undefined if a repetition does not help.
 * A 403 with a rate limit is GitHub's form of 429.
 * @param tries how often the request was made
 */
export function findWait(
  { status, headers }: Response,
  tries: number,
  now: number,
): number | undefined {
  const after = headers.get('retry-after');
  const isLimited = after !== null || headers.get('x-ratelimit-remaining') === '0';
  if (status !== 429 && status < 500 && !(status === 403 && isLimited)) return undefined;
  if (after !== null) return parseRetryAfter(after, now) ?? backoff(tries);
  const reset = Number(headers.get('x-ratelimit-reset') ?? NaN);
  if (isLimited && Number.isFinite(reset)) return Math.max(0, reset * 1000 - now);
  return backoff(tries);
}

/** One second, then two, then four. */
export const backoff = (tries: number): number => 1000 * 2 ** (tries - 1);

/** Seconds or a date, as in RFC 9110. */
function parseRetryAfter(text: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
