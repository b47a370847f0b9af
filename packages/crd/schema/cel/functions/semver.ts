import {
  compareVersions,
  parseTolerantVersion,
  parseVersion,
  type Version,
} from '@tenantry/kube/semver';
import { Failure, noSuchOverload } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { BoxedValue, type Value } from '../value.ts';

/** A version; build metadata does not affect the order. */
class Semver extends BoxedValue {
  readonly version: Version;

  constructor(version: Version) {
    super();
    this.version = version;
  }

  get typeName(): string {
    return 'kubernetes.Semver';
  }

  equals(other: Value): boolean {
    if (other instanceof Semver) return compare(this, other) === 0;
    throw noSuchOverload();
  }
}

const compare = (a: Semver, b: Semver): number => compareVersions(a.version, b.version);

/** Parses a version; normalization turns `v1.02` into `1.2.0`. */
const read = (text: string, normalize = false): Version | undefined =>
  normalize ? parseTolerantVersion(text) : parseVersion(text);

function toVersion(text: string, normalize = false): Semver {
  const version = read(text, normalize);
  if (version) return new Semver(version);
  throw new Failure('No Major.Minor.Patch elements found');
}

/**
 * Functions for semantic versions.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-semver-library
 */
export const semver: Functions = {
  'semver(string): semver': (text: string) => toVersion(text),
  'semver(string, bool): semver': toVersion,
  'isSemver(string): bool': (text: string) => read(text) !== undefined,
  'isSemver(string, bool): bool': (text: string, normalize: boolean) =>
    read(text, normalize) !== undefined,
  'semver::isGreaterThan(semver): bool': (a: Semver, b: Semver) => compare(a, b) > 0,
  'semver::isLessThan(semver): bool': (a: Semver, b: Semver) => compare(a, b) < 0,
  'semver::compareTo(semver): int': (a: Semver, b: Semver) => BigInt(compare(a, b)),
  'semver::major(): int': ({ version }: Semver) => BigInt.asIntN(64, version.major),
  'semver::minor(): int': ({ version }: Semver) => BigInt.asIntN(64, version.minor),
  'semver::patch(): int': ({ version }: Semver) => BigInt.asIntN(64, version.patch),
};
