import { A_DNS_LABEL, isDnsLabel } from '@tenantry/kube/names';
import { didYouMean, formatList, findNearest, show } from '@tenantry/kube/problem';
import type {
  Catalog,
  CatalogFindings,
  CatalogBlob,
  CatalogBundle,
  CatalogChannel,
  CatalogDeprecations,
  CatalogPackage,
  CatalogDeprecation,
} from '../catalog.ts';

/** Validates packages: their names are unique, and each contains its default channel. */
export function checkPackages(
  catalog: Catalog,
  packages: ReadonlyMap<string, IndexedPackage>,
  findings: CatalogFindings,
): void {
  for (const blob of catalog.packages) {
    const { name } = blob;
    const known = packages.get(name)!;
    if (!isDnsLabel(name)) {
      const message = `must be ${A_DNS_LABEL}, got ${show(name)}`;
      findings.error(blob, ['name'], message, 'catalog-package-name');
    }
    if (known.blob === blob) checkDefault(known, findings);
    else {
      const message = `must be a name that no other package has, got ${show(name)} again`;
      findings.error(blob, ['name'], message, 'catalog-package-unique');
    }
  }
  for (const one of packages.values()) checkThere(one, packages, findings);
}

function checkDefault({ blob, channels }: IndexedPackage, findings: CatalogFindings): void {
  if (!blob) return;
  const names = [...channels.keys()].filter((name) => name !== '');
  if (channels.size === 0) {
    const message = 'must have a channel, got none that names it';
    findings.error(blob, [], message, 'catalog-package-channels');
  } else if (!channels.has(blob.defaultChannel) || blob.defaultChannel === '') {
    const message = `must be one of its channels (${formatList(names)}), got ${show(blob.defaultChannel)}`;
    findings.error(blob, ['defaultChannel'], message, 'catalog-default-channel');
  }
}

/** Reports a missing package once, for all objects that name it. */
function checkThere(
  { name, blob, members }: IndexedPackage,
  packages: ReadonlyMap<string, IndexedPackage>,
  findings: CatalogFindings,
): void {
  const [first, ...more] = members;
  if (blob || !first) return;
  const path = 'package' in first ? ['package'] : [];
  const others = more.length === 0 ? '' : `, here and in ${more.length} more`;
  if (name === '') {
    const message = `must be the name of a package, got none${others}`;
    findings.error(first, path, message, 'catalog-package-missing');
    return;
  }
  const known = [...packages.values()].filter((one) => one.blob).map((one) => one.name);
  const message = `must be a package of the catalog, got ${show(name)}${others}${didYouMean(findNearest(name, known))}`;
  findings.error(first, path, message, 'catalog-package-missing');
}

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

/** Validates deprecations: each refers to something that exists, occurs once, and has a reason. */
export function checkDeprecations(
  catalog: Catalog,
  packages: ReadonlyMap<string, IndexedPackage>,
  findings: CatalogFindings,
): void {
  for (const blob of catalog.deprecations) {
    const known = packages.get(blob.package)!;
    if (known.deprecations !== blob) {
      const message = `must be unique in the package, got a second one of ${show(blob.package)}`;
      findings.error(blob, ['package'], message, 'catalog-deprecation-unique');
      continue;
    }
    const seen = new Set<string>();
    for (const [i, entry] of blob.entries.entries()) {
      const key = `${entry.reference.schema} ${entry.reference.name ?? ''}`;
      if (seen.has(key)) {
        const message = `must be unique among the entries, got ${key.trim()} again`;
        findings.error(blob, ['entries', i, 'reference'], message, 'catalog-deprecation-unique');
      } else checkEntry(blob, entry, i, known, findings);
      seen.add(key);
    }
  }
}

function checkEntry(
  blob: CatalogDeprecations,
  { reference, message }: CatalogDeprecation,
  index: number,
  known: IndexedPackage,
  findings: CatalogFindings,
): void {
  const path = ['entries', index];
  if (message === '') {
    const reason = 'must explain why, and what to use instead, got nothing';
    findings.error(blob, [...path, 'message'], reason, 'catalog-deprecation-message');
  }
  const wrong = wrongReference(reference, known);
  if (wrong)
    findings.error(
      blob,
      [...path, 'reference', wrong[0]],
      wrong[1],
      'catalog-deprecation-reference',
    );
}

function wrongReference(
  { schema, name = '' }: CatalogDeprecation['reference'],
  { name: of, blob, channels, bundles }: IndexedPackage,
): readonly [field: string, message: string] | undefined {
  const known = new Map<string, ReadonlyMap<string, unknown>>([
    ['olm.bundle', bundles],
    ['olm.channel', channels],
  ]);
  if (schema === 'olm.package') {
    return name === ''
      ? undefined
      : ['name', `must be left out for the package, got ${show(name)}`];
  }
  const names = known.get(schema);
  if (!names) {
    return ['schema', `must be olm.package, olm.channel or olm.bundle, got ${show(schema)}`];
  }
  if (names.has(name) || !blob) return undefined;
  const hint = didYouMean(findNearest(name, names.keys()));
  return ['name', `must be an ${schema} of package ${show(of)}, got ${show(name)}${hint}`];
}
