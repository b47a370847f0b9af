import { trimSpace } from '@tenantry/kube/names';
import { parseTolerantVersion, isIdentifier, type Version } from '@tenantry/kube/semver';

/** Parses a version as OLM parses `spec.version`, without surrounding white space. */
export function parseOlmVersion(text: string): Version | undefined {
  return parseTolerantVersion(trimSpace(text));
}

/** Formats a version as semver.org defines it: `1.2.3-rc.1+42`. */
export function formatVersion({ major, minor, patch, prerelease, build }: Version): string {
  const before = prerelease.length === 0 ? '' : `-${prerelease.join('.')}`;
  const after = build.length === 0 ? '' : `+${build.join('.')}`;
  return `${major}.${minor}.${patch}${before}${after}`;
}

/** The maximum length of a release, in characters. */
const MAX_RELEASE_LENGTH = 20;

/** Whether a text is the release of a bundle: identifiers as in a prerelease. */
export function isRelease(text: string): boolean {
  return text.length <= MAX_RELEASE_LENGTH && text.split('.').every(isIdentifier);
}

export const A_RELEASE =
  "identifiers with '.' between, of letters, digits and '-', without zeros before a number, at most 20 characters";
