import type { Version } from '../../kube/semver.ts';

/** Formats a version as semver.org defines it: `1.2.3-rc.1+42`. */
export function formatVersion({ major, minor, patch, prerelease, build }: Version): string {
  const before = prerelease.length === 0 ? '' : `-${prerelease.join('.')}`;
  const after = build.length === 0 ? '' : `+${build.join('.')}`;
  return `${major}.${minor}.${patch}${before}${after}`;
}
