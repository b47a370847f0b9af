import { entryOf, isMapping } from '../../kube/mapping.ts';
import { compareReleases, compareVersions, parseVersion, type Version } from '../../kube/semver.ts';
import type { CatalogBundle } from './catalog.ts';

/** The version and the release of a bundle. */
export interface BundleVersion {
  readonly version: Version;
  /** The identifiers of the release; empty if there is none. */
  readonly release: readonly string[];
}

/** Returns the version in the first property `olm.package` of a bundle; undefined if it is not a valid version. */
export function bundleVersion({ properties }: CatalogBundle): BundleVersion | undefined {
  const value = properties.find(({ type }) => type === 'olm.package')?.value;
  const fields = isMapping(value) ? value : {};
  const [text, release] = [entryOf(fields, 'version'), entryOf(fields, 'release')];
  const version = typeof text === 'string' ? parseVersion(text) : undefined;
  const hasRelease = typeof release === 'string' && release !== '';
  return version && { version, release: hasRelease ? release.split('.') : [] };
}

/** Compares two versions: below zero if `a` comes before `b`, by the version and then by the release. */
export function compareBundleVersions(a: BundleVersion, b: BundleVersion): number {
  return compareVersions(a.version, b.version) || compareReleases(a.release, b.release);
}
