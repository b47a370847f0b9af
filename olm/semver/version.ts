/** A version of semver.org. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** The identifiers behind `-`. */
  readonly prerelease: readonly string[];
  /** The identifiers behind `+`, which have no part in the order. */
  readonly build: readonly string[];
}

const NUMBER = '(0|[1-9]\\d*)';
const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const pattern = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?$`,
);

/** OLM keeps the numbers of a version in 64 bits. */
const LARGEST = 2n ** 64n;

/**
 * Reads a version, such as `1.2.3`, `1.2.3-rc.1` or `1.2.3+42`; undefined when the text is none: a
 * leading `v`, fewer than three numbers, zeros before a number.
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

/** Whether a text may stand between two dots of a prerelease. */
function isIdentifier(text: string): boolean {
  if (!/^\d+$/.test(text)) return /^[0-9A-Za-z-]+$/.test(text);
  return !/^0\d/.test(text) && BigInt(text) < LARGEST;
}

/** The longest release that a ClusterServiceVersion may have, in characters. */
const LONGEST_RELEASE = 20;

/** Whether a text is the release of a bundle: identifiers as those of a prerelease. */
export function isRelease(text: string): boolean {
  return text.length <= LONGEST_RELEASE && text.split('.').every(isIdentifier);
}

export const A_VERSION = "a version such as '1.2.3'";

export const A_RELEASE =
  "identifiers with '.' between, of letters, digits and '-', without zeros before a number, at most 20 characters";

/** Below zero when `a` comes before `b`, zero when neither does: what is built is no part of it. */
export function compareVersions(a: Version, b: Version): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  return compareReleases(a.prerelease, b.prerelease);
}

/** The same for lists of identifiers: numbers before words, the beginning of a list before the list. */
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
