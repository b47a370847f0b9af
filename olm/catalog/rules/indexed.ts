import type {
  Catalog,
  CatalogBlob,
  CatalogBundle,
  CatalogChannel,
  CatalogDeprecations,
  CatalogPackage,
} from '../catalog.ts';

/** A package and all objects that belong to it. Of several packages with one name it is the first. */
export interface IndexedPackage {
  readonly name: string;
  /** The package; absent if an object names a package that does not exist. */
  readonly blob?: CatalogPackage;
  readonly channels: ReadonlyMap<string, CatalogChannel>;
  readonly bundles: ReadonlyMap<string, CatalogBundle>;
  readonly deprecations?: CatalogDeprecations;
  /** All objects that name the package, except for the package itself. */
  readonly members: readonly CatalogBlob[];
}

/** Indexes the packages of a catalog by name. The empty name has the objects that name no package. */
export function indexPackages(catalog: Catalog): ReadonlyMap<string, IndexedPackage> {
  const packages = new Map<string, Building>();
  const of = (name: string): Building => {
    const known = packages.get(name) ?? {
      name,
      channels: new Map(),
      bundles: new Map(),
      members: [],
    };
    packages.set(name, known);
    return known;
  };
  for (const blob of catalog.packages) of(blob.name).blob ??= blob;
  for (const channel of catalog.channels) {
    const { channels, members } = of(channel.package);
    if (!channels.has(channel.name)) channels.set(channel.name, channel);
    members.push(channel);
  }
  for (const bundle of catalog.bundles) {
    const { bundles, members } = of(bundle.package);
    if (!bundles.has(bundle.name)) bundles.set(bundle.name, bundle);
    members.push(bundle);
  }
  for (const deprecations of catalog.deprecations) {
    const known = of(deprecations.package);
    known.deprecations ??= deprecations;
    known.members.push(deprecations);
  }
  return packages;
}

interface Building extends IndexedPackage {
  blob?: CatalogPackage;
  deprecations?: CatalogDeprecations;
  readonly channels: Map<string, CatalogChannel>;
  readonly bundles: Map<string, CatalogBundle>;
  readonly members: CatalogBlob[];
}
