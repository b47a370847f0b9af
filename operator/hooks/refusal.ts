import { HookRefused, type HttpAnswer } from './sender.ts';

/** Credentials are read anew for each attempt, and may be mended without a word in the Platform. */
const credentialStatuses: ReadonlySet<number> = new Set([401, 403]);

/** RFC 9110, RFC 8470 (425) and RFC 6585 (429). */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * What an answer means that is no success: 401, 403, 408, 425, 429 and 5xx may come right while the declaration is
 * what it is; all else, redirects too, does not.
 * @param what was asked for: `create the channel`
 * @param reason a word of the other side's API that says why, and no text of its
 */
export function buildHttpRefusal(
  { status, retryAfter }: Pick<HttpAnswer, 'status' | 'retryAfter'>,
  what: string,
  reason?: string,
): HookRefused {
  const passes = status >= 500 || transientStatuses.has(status) || credentialStatuses.has(status);
  const word = reason === undefined ? '' : ` (${reason.slice(0, 64)})`;
  return new HookRefused(`${what}: answered ${status}${word}`, {
    final: !passes,
    isBusy: status === 429 || status === 503,
    ...(passes && { retryAfter }),
  });
}
