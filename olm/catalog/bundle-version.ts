import { entryOf, isMapping } from '../../kube/mapping.ts';
import { compareReleases, compareVersions, parseVersion, type Version } from '../../kube/semver.ts';
import type { CatalogBundle } from './catalog.ts';

/** Which version a bundle is, and which packaging of it. */
export interface BundleVersion {
  readonly version: Version;
  /** Identifiers; none where it has no release. */
  readonly release: readonly string[];
}

/** What the first property `olm.package` of a bundle says; undefined where it is no version. */
export function bundleVersion({ properties }: CatalogBundle): BundleVersion | undefined {
  const value = properties.find(({ type }) => type === 'olm.package')?.value;
  const fields = isMapping(value) ? value : {};
  const [text, release] = [entryOf(fields, 'version'), entryOf(fields, 'release')];
  const version = typeof text === 'string' ? parseVersion(text) : undefined;
  const hasRelease = typeof release === 'string' && release !== '';
  return version && { version, release: hasRelease ? release.split('.') : [] };
}

/** Below zero when `a` comes before `b`: by the version, then by the release. */
export function compareBundleVersions(a: BundleVersion, b: BundleVersion): number {
  return compareVersions(a.version, b.version) || compareReleases(a.release, b.release);
}
