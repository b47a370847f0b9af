/**
 * The syntax of names and texts in Kubernetes, by its own definitions in apimachinery's `util/validation`. Lengths are
 * in bytes of UTF-8, as Go counts them; names are ASCII, where bytes are characters.
 */

/** An RFC 1123 label: the name of a namespace. */
export const DNS_LABEL = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
/** An RFC 1123 subdomain: the name of most objects. */
export const DNS_SUBDOMAIN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
/** The value of a label, which may be empty. */
export const LABEL_VALUE = '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$';

const patterns = {
  label: new RegExp(DNS_LABEL),
  label1035: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
  subdomain: new RegExp(DNS_SUBDOMAIN),
  labelValue: new RegExp(LABEL_VALUE),
};

/** Whether a text is a label of RFC 1123. */
export function isDnsLabel(text: string): boolean {
  return text.length <= 63 && patterns.label.test(text);
}

export const A_DNS_LABEL = "a DNS label: lower-case letters, digits and '-', at most 63 characters";

/** Whether a text is a label of RFC 1035, which starts with a letter. */
export function isDns1035Label(text: string): boolean {
  return text.length <= 63 && patterns.label1035.test(text);
}

export const A_DNS_1035_LABEL =
  "a DNS label: lower-case letters, digits and '-', starting with a letter, at most 63 characters";

/** Whether a text is a subdomain of RFC 1123. */
export function isSubdomain(text: string): boolean {
  return text.length <= 253 && patterns.subdomain.test(text);
}

export const A_SUBDOMAIN =
  "a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253 characters";

/** Makes a prefix of names a valid name of its own: a prefix may end with a hyphen. */
export function withoutTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

/** Whether a text is `name` or `prefix/name`: the key of a label, and the name of a finalizer. */
export function isQualifiedName(text: string): boolean {
  const [name = '', prefix, ...more] = text.split('/').toReversed();
  if (more.length > 0 || (prefix !== undefined && !isSubdomain(prefix))) return false;
  return name !== '' && isLabelValue(name);
}

export const A_QUALIFIED_NAME =
  "a name of letters, digits, '-', '_' and '.', at most 63 characters, with or without a DNS subdomain and '/' before it";

export function isLabelValue(text: string): boolean {
  return text.length <= 63 && patterns.labelValue.test(text);
}

export const A_LABEL_VALUE =
  "a label value: letters, digits, '-', '_' and '.', at most 63 characters";

/**
 * The maximum size in bytes of the keys and values of all annotations of an object. Client-side `kubectl apply` stores
 * the whole object in one of them.
 */
export const MAX_ANNOTATIONS = 262_144;

/** Converts to lower case as Go does, one character at a time: 'İ' becomes 'i' and nothing more. */
export function lowerCase(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase();
}

/** Removes the Unicode white space around a text. */
export function trimSpace(text: string): string {
  return text.replaceAll(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

export function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

/** Whether a text has only letters, marks, numbers, punctuation, symbols and the plain space. */
export function isPrintable(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(text.toWellFormed());
}
