import { HookRefused, type HttpAnswer } from './sender.ts';

/** Credentials are read again for each attempt, and can be corrected without a change of the Platform. */
const credentialStatuses: ReadonlySet<number> = new Set([401, 403]);

/** RFC 9110, RFC 8470 (425) and RFC 6585 (429). */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Builds the refusal for an unsuccessful HTTP answer. 401, 403, 408, 425, 429 and 5xx may succeed later without a
 * change of the declaration. All other statuses, redirects included, are final.
 * @param what the request: `create the channel`
 * @param reason the receiver's error code, never free text of its answer
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
