import { Failure, noSuchOverload } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { compareStrings, Rich, type Value } from '../value.ts';

const NUMBER = '(0|[1-9]\\d*)';
const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const pattern = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIERS}))?(?:\\+${IDENTIFIERS})?$`,
);
const LARGEST = 2n ** 64n;

/** A version of semver.org; what is built of it has no part in the order. */
class Semver extends Rich {
  readonly numbers: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  get typeName(): string {
    return 'kubernetes.Semver';
  }

  equals(other: Value): boolean {
    if (other instanceof Semver) return compareVersions(this, other) === 0n;
    throw noSuchOverload();
  }
}

function parseVersion(text: string, normalize = false): Semver | undefined {
  const plain = normalize ? normalized(text) : text;
  const match = plain === undefined ? null : pattern.exec(plain);
  if (!match) return undefined;
  const numbers = match.slice(1, 4).map(BigInt);
  const prerelease = match[4]?.split('.') ?? [];
  if (prerelease.some((part) => /^0\d+$/.test(part))) return undefined;
  const counts = prerelease.filter((part) => /^\d+$/.test(part)).map(BigInt);
  if ([...numbers, ...counts].some((number) => number >= LARGEST)) return undefined;
  return new Semver(numbers, prerelease);
}

/** `v1.02` is `1.2.0`. */
function normalized(text: string): string | undefined {
  const plain = text.replace(/^v/, '');
  const [major, minor, ...rest] = plain.split('.');
  const parts = [major!, minor, rest.length === 0 ? undefined : rest.join('.')]
    .filter((part) => part !== undefined)
    .map((part) =>
      part.length > 1 ? part.replace(/^0+(?!\d)/, '0').replace(/^0+(?=\d)/, '') : part,
    );
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!)) return undefined;
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

function compareVersions(a: Semver, b: Semver): bigint {
  for (const [i, number] of a.numbers.entries()) {
    if (number !== b.numbers[i]) return number < b.numbers[i]! ? -1n : 1n;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return BigInt(Math.sign(b.prerelease.length - a.prerelease.length));
  }
  for (const [i, part] of a.prerelease.entries()) {
    const other = b.prerelease[i];
    if (other === undefined) return 1n;
    const order = comparePrereleases(part, other);
    if (order !== 0) return BigInt(Math.sign(order));
  }
  return a.prerelease.length < b.prerelease.length ? -1n : 0n;
}

/** Numbers before words. */
function comparePrereleases(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (!isNumber) return compareStrings(a, b);
  return BigInt(a) < BigInt(b) ? -1 : Number(BigInt(a) > BigInt(b));
}

function toVersion(text: string, normalize = false): Semver {
  const version = parseVersion(text, normalize);
  if (version) return version;
  throw new Failure('No Major.Minor.Patch elements found');
}

/**
 * Versions of semver.org.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-semver-library
 */
export const semver: Functions = {
  'semver(string): semver': (text: string) => toVersion(text),
  'semver(string, bool): semver': toVersion,
  'isSemver(string): bool': (text: string) => parseVersion(text) !== undefined,
  'isSemver(string, bool): bool': (text: string, normalize: boolean) =>
    parseVersion(text, normalize) !== undefined,
  'semver::isGreaterThan(semver): bool': (a: Semver, b: Semver) => compareVersions(a, b) > 0n,
  'semver::isLessThan(semver): bool': (a: Semver, b: Semver) => compareVersions(a, b) < 0n,
  'semver::compareTo(semver): int': compareVersions,
  'semver::major(): int': ({ numbers }: Semver) => BigInt.asIntN(64, numbers[0]!),
  'semver::minor(): int': ({ numbers }: Semver) => BigInt.asIntN(64, numbers[1]!),
  'semver::patch(): int': ({ numbers }: Semver) => BigInt.asIntN(64, numbers[2]!),
};
