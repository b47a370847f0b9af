/** A version of semver.org. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** The identifiers after `-`. */
  readonly prerelease: readonly string[];
  /** The identifiers after `+`, which do not affect the order. */
  readonly build: readonly string[];
}

const NUMBER = '(0|[1-9]\\d*)';
const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const pattern = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?$`,
);

/** The upper limit of numbers in a version: Kubernetes and OLM store them in 64 bits. */
const LARGEST = 2n ** 64n;

/**
 * Parses a version, such as `1.2.3`, `1.2.3-rc.1` or `1.2.3+42`; undefined if it is invalid: a leading `v`, fewer than
 * three numbers, zeros before a number.
 */
export function parseVersion(text: string): Version | undefined {
  const [whole, major, minor, patch, prerelease, build] = pattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const identifiers = prerelease === undefined ? [] : prerelease.split('.');
  if (!identifiers.every(isIdentifier)) return undefined;
  const numbers = [major!, minor!, patch!].map(BigInt);
  if (numbers.some((number) => number >= LARGEST)) return undefined;
  return {
    major: numbers[0]!,
    minor: numbers[1]!,
    patch: numbers[2]!,
    prerelease: identifiers,
    build: build === undefined ? [] : build.split('.'),
  };
}

/**
 * Parses a version that deviates from semver.org: a leading `v`, zeros before a number, and missing numbers (`1.2` is
 * `1.2.0`).
 *
 * Source: ParseTolerant of github.com/blang/semver/v4, which also trims white space
 */
export function parseTolerantVersion(text: string): Version | undefined {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor])];
  if (rest.length > 0) parts.push(rest.join('.'));
  const whole = [...parts.map(withoutZeros), '0', '0'].slice(0, Math.max(3, parts.length));
  return parseVersion(whole.join('.'));
}

function withoutZeros(part: string): string {
  if (part.length < 2) return part;
  const rest = part.replace(/^0+/, '');
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

/** Whether a text may be between two dots of a prerelease. */
export function isIdentifier(text: string): boolean {
  if (!/^\d+$/.test(text)) return /^[0-9A-Za-z-]+$/.test(text);
  return !/^0\d/.test(text) && BigInt(text) < LARGEST;
}

export const A_VERSION = "a version such as '1.2.3'";

/** Compares versions: below zero if `a` comes before `b`, zero if neither does. The build does not matter. */
export function compareVersions(a: Version, b: Version): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  return compareReleases(a.prerelease, b.prerelease);
}

/** Compares lists of identifiers: numbers before words, a prefix of a list before the list. */
export function compareReleases(a: readonly string[], b: readonly string[]): number {
  for (const [i, one] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    const order = compareIdentifiers(one, other);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

function compareIdentifiers(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  const [one, other] = isNumber ? [BigInt(a), BigInt(b)] : [a, b];
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
