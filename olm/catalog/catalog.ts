/**
 * A file-based catalog: what OLM knows of the operators that it can install. Each object of it (a
 * blob, in words of OLM) says by its `schema` what it is.
 *
 * Source: https://olm.operatorframework.io/docs/reference/file-based-catalogs/
 */
export interface Catalog {
  readonly packages: readonly CatalogPackage[];
  readonly channels: readonly CatalogChannel[];
  readonly bundles: readonly CatalogBundle[];
  readonly deprecations: readonly CatalogDeprecations[];
  /** Objects of other schemas, which OLM hands on as they are. */
  readonly others: readonly CatalogOther[];
}

/** An operator, with its channels and bundles. */
export interface CatalogPackage {
  readonly schema: 'olm.package';
  /** A DNS label. */
  readonly name: string;
  /** The channel of a Subscription that names none. */
  readonly defaultChannel: string;
  /** In Markdown. */
  readonly description?: string;
  readonly icon?: CatalogIcon;
  readonly properties?: readonly CatalogProperty[];
}

/** The picture of an operator. */
export interface CatalogIcon {
  readonly base64data: string;
  /** Such as `image/svg+xml`. */
  readonly mediatype: string;
}

/** A line of bundles of which one takes the place of another. */
export interface CatalogChannel {
  readonly schema: 'olm.channel';
  /** Such as `stable`. */
  readonly name: string;
  readonly package: string;
  readonly entries: readonly ChannelEntry[];
  readonly properties?: readonly CatalogProperty[];
}

/** A bundle in a channel, and what it takes the place of. */
export interface ChannelEntry {
  /** The name of the bundle. */
  readonly name: string;
  /** The bundle before it. The last one of a channel may name one that is in it no more. */
  readonly replaces?: string;
  /** Bundles that are passed over on the way to this one. */
  readonly skips?: readonly string[];
  /** Versions from which one comes to this one at once, such as `>=1.0.0 <1.2.0`. */
  readonly skipRange?: string;
}

/** A version of an operator, and what it needs and brings. */
export interface CatalogBundle {
  readonly schema: 'olm.bundle';
  /** The name of its ClusterServiceVersion. */
  readonly name: string;
  readonly package: string;
  /** Where its manifests are. */
  readonly image: string;
  readonly properties: readonly CatalogProperty[];
  /** All images that are needed, without a registry of one's own to look in. @default - none */
  readonly relatedImages?: readonly CatalogImage[];
}

/** What is known of a bundle, or asked of others, by its type. */
export interface CatalogProperty {
  /** `olm.package`, `olm.gvk`, `olm.package.required`, `olm.constraint`, or one of your own. */
  readonly type: string;
  /** Of the form that the type asks for. */
  readonly value: unknown;
}

/** An image that a bundle needs. */
export interface CatalogImage {
  /** Empty for the image of the bundle itself, and for one that only a Deployment names. */
  readonly name: string;
  readonly image: string;
}

/** What of a package should be used no more. */
export interface CatalogDeprecations {
  readonly schema: 'olm.deprecations';
  readonly package: string;
  readonly entries: readonly CatalogDeprecation[];
}

/** Something that should be used no more, and why. */
export interface CatalogDeprecation {
  readonly reference: {
    readonly schema: 'olm.package' | 'olm.channel' | 'olm.bundle';
    /** Of the channel or the bundle; of the package, none. */
    readonly name?: string;
  };
  /** In words, for whoever has it installed. */
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
