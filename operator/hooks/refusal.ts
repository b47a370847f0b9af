import { HookRefused, type HttpAnswer } from './sender.ts';

/**
 * What an answer means that is no success: 408, 425, 429 and 5xx may come right by themselves; all else, redirects
 * too, does not.
 * @param what was asked for: `create the channel`
 * @param said a word of the other side's API that says why, and no text of its
 */
export function refusalOf(
  { status, retryAfter }: Pick<HttpAnswer, 'status' | 'retryAfter'>,
  what: string,
  said?: string,
): HookRefused {
  const passes = status >= 500 || status === 408 || status === 425 || status === 429;
  const word = said === undefined ? '' : ` (${said.slice(0, 64)})`;
  return new HookRefused(`${what}: answered ${status}${word}`, {
    final: !passes,
    ...(passes && { retryAfter }),
  });
}
