import { isEmail } from '@tenantry/kube/address';

export const A_MAIL_ADDRESS = "a mail address such as 'jo@example.com'";

/** `Jo Doe <jo@example.com>` */
const NAMED = /^[^()<>@,:;[\]\\"]*<([^<>]*)>$/;

/** Quoted texts, comments, literal domains and groups contain one of these. */
const RARE = /["([;]/;

/**
 * Whether a text is one mail address, such as `jo@example.com` or `Jo Doe <jo@example.com>`. It accepts every address
 * that OperatorHub accepts for a maintainer. Quoted texts, comments, literal domains, groups and encoded words (RFC
 * 5322, RFC 2047) are not parsed: a text with one of them and an `@` is accepted.
 */
export function isMailAddress(text: string): boolean {
  const [, address = text] = NAMED.exec(text.trim()) ?? [];
  // Go skips spaces after the '@'.
  return isEmail(address.trim().replace(/@[ \t]+/, '@')) ?? RARE.test(text);
}
