import { errorAt, warningAt, type Finding } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import { entryOf, isMapping } from '@tenantry/kube/mapping';
import {
  compareReleases,
  compareVersions,
  parseVersion,
  type Version,
} from '@tenantry/kube/semver';

/**
 * A file-based catalog: the operators that OLM can install. Each object of it (OLM calls it a blob) declares its type
 * by its `schema`.
 *
 * Source: https://olm.operatorframework.io/docs/reference/file-based-catalogs/
 */
export interface Catalog {
  readonly packages: readonly CatalogPackage[];
  readonly channels: readonly CatalogChannel[];
  readonly bundles: readonly CatalogBundle[];
  readonly deprecations: readonly CatalogDeprecations[];
  /** Objects of other schemas, which OLM passes on unchanged. */
  readonly others: readonly CatalogOther[];
}

/** An operator, with its channels and bundles. */
export interface CatalogPackage {
  readonly schema: 'olm.package';
  /** The name, a DNS label. */
  readonly name: string;
  /** The channel of a Subscription that names none. */
  readonly defaultChannel: string;
  /** The description in Markdown. */
  readonly description?: string;
  readonly icon?: CatalogIcon;
  readonly properties?: readonly CatalogProperty[];
}

/** The icon of an operator. */
export interface CatalogIcon {
  readonly base64data: string;
  /** The media type, such as `image/svg+xml`. */
  readonly mediatype: string;
}

/** A sequence of bundles in which each can replace an earlier one. */
export interface CatalogChannel {
  readonly schema: 'olm.channel';
  /** The name, such as `stable`. */
  readonly name: string;
  readonly package: string;
  readonly entries: readonly ChannelEntry[];
  readonly properties?: readonly CatalogProperty[];
}

/** A bundle in a channel, and what it replaces. */
export interface ChannelEntry {
  /** The name of the bundle. */
  readonly name: string;
  /** The previous bundle. The last entry of a channel may name one that is no longer in it. */
  readonly replaces?: string;
  /** The bundles that an upgrade to this one skips. */
  readonly skips?: readonly string[];
  /** The versions that can upgrade directly to this one, such as `>=1.0.0 <1.2.0`. */
  readonly skipRange?: string;
}

/** A version of an operator, with its requirements and what it provides. */
export interface CatalogBundle {
  readonly schema: 'olm.bundle';
  /** The name of its ClusterServiceVersion. */
  readonly name: string;
  readonly package: string;
  /** The image with its manifests. */
  readonly image: string;
  readonly properties: readonly CatalogProperty[];
  /** All images that the bundle needs, for a mirror registry. @default - none */
  readonly relatedImages?: readonly CatalogImage[];
}

/** A property of a bundle, or a requirement for other bundles, by its type. */
export interface CatalogProperty {
  /** `olm.package`, `olm.gvk`, `olm.package.required`, `olm.constraint`, or a custom type. */
  readonly type: string;
  /** The value, in the form that the type requires. */
  readonly value: unknown;
}

/** An image that a bundle needs. */
export interface CatalogImage {
  /** Empty for the image of the bundle itself, and for an image that only a Deployment names. */
  readonly name: string;
  readonly image: string;
}

/** The deprecations of a package. */
export interface CatalogDeprecations {
  readonly schema: 'olm.deprecations';
  readonly package: string;
  readonly entries: readonly CatalogDeprecation[];
}

/** A deprecated package, channel or bundle, and the reason. */
export interface CatalogDeprecation {
  readonly reference: {
    readonly schema: 'olm.package' | 'olm.channel' | 'olm.bundle';
    /** The name of the channel or the bundle; absent for the package. */
    readonly name?: string;
  };
  /** The message for users who have it installed. */
  readonly message: string;
}

/** An object of a schema that OLM does not know. */
export interface CatalogOther {
  readonly schema: string;
  readonly [field: string]: unknown;
}

/** One object of a catalog. */
export type CatalogBlob =
  CatalogPackage | CatalogChannel | CatalogBundle | CatalogDeprecations | CatalogOther;

/** A finding about a catalog, and the object of the catalog that contains its path. */
export interface CatalogFinding extends Finding {
  readonly blob: CatalogBlob;
}

/** Collects findings about a catalog. */
export class CatalogFindings {
  readonly #found: CatalogFinding[] = [];

  error(blob: CatalogBlob, path: Path, message: string, rule: string): void {
    this.#found.push({ ...errorAt(path, message, rule), blob });
  }

  warn(blob: CatalogBlob, path: Path, message: string, rule: string): void {
    this.#found.push({ ...warningAt(path, message, rule), blob });
  }

  get all(): readonly CatalogFinding[] {
    return this.#found;
  }
}

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
