/**
 * The syntax of names in Kubernetes, by its own definitions in apimachinery's `util/validation`.
 * Lengths are in bytes of UTF-8, as Go counts them.
 */

/** A label of RFC 1035: starts with a letter, at most 63 characters. */
export function isLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text);
}

export const LABEL =
  "a DNS label: lower-case letters, digits and '-', starting with a letter, at most 63 characters";

/** A subdomain of RFC 1123. */
export function isSubdomain(text: string): boolean {
  return (
    text.length <= 253 &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text)
  );
}

export const SUBDOMAIN =
  "a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253 characters";

/** `name` or `prefix/name`: the key of a label, and the name of a finalizer. */
export function isQualifiedName(text: string): boolean {
  const parts = text.split('/');
  const name = parts.pop()!;
  if (parts.length > 1 || (parts.length === 1 && !isSubdomain(parts[0]!))) return false;
  return name.length <= 63 && /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/.test(name);
}

export const QUALIFIED_NAME =
  "a name of letters, digits, '-', '_' and '.', at most 63 characters, with or without a DNS subdomain and '/' before it";

export function isLabelValue(text: string): boolean {
  return text.length <= 63 && /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/.test(text);
}

/** As Go does it, one character at a time: 'İ' is 'i' and nothing more. */
export function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}

/** Without the white space of Unicode around it. */
export function trimSpace(text: string): string {
  return text.replaceAll(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

/** Letters, marks, numbers, punctuation, symbols and the plain space. */
export function isPrintable(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(text.toWellFormed());
}
