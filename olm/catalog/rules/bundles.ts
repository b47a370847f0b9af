import { show } from '../../../kube/problem.ts';
import { isCatalogImage } from '../../image/catalog-image.ts';
import { AN_IMAGE } from '../../image/reference.ts';
import type { Catalog, CatalogBundle } from '../catalog.ts';
import type { CatalogFindings } from '../catalog-finding.ts';
import type { IndexedPackage } from './indexed.ts';
import { checkProperties, versionTextOf } from './properties.ts';

/** Validates bundles: names and versions are unique, each is in a channel and has an image. */
export function checkBundles(
  catalog: Catalog,
  packages: ReadonlyMap<string, IndexedPackage>,
  findings: CatalogFindings,
): void {
  const entries = new Map<IndexedPackage, ReadonlySet<string>>();
  for (const one of packages.values()) entries.set(one, entriesOf(one));
  const versions = new Map<string, CatalogBundle>();
  for (const bundle of catalog.bundles) {
    const known = packages.get(bundle.package)!;
    const { name } = bundle;
    if (known.bundles.get(name) !== bundle) {
      const message = `must be a name that no other bundle of its package has, got ${show(name)} again`;
      findings.error(bundle, ['name'], message, 'catalog-bundle-unique');
      continue;
    }
    if (name === '') {
      findings.error(bundle, ['name'], 'must be set, got nothing', 'catalog-bundle-name');
    } else if (known.blob && !entries.get(known)!.has(name)) {
      const message = `must be in a channel of package ${show(bundle.package)}, got ${show(name)} in none`;
      findings.error(bundle, ['name'], message, 'catalog-bundle-channel');
    }
    checkImages(bundle, findings);
    checkProperties(bundle, findings);
    checkVersion(bundle, versions, findings);
  }
}

function entriesOf({ channels }: IndexedPackage): ReadonlySet<string> {
  return new Set([...channels.values()].flatMap(({ entries }) => entries.map(({ name }) => name)));
}

function checkImages(bundle: CatalogBundle, findings: CatalogFindings): void {
  const { image, properties, relatedImages = [] } = bundle;
  if (image === '' && !properties.some(({ type }) => type === 'olm.bundle.object')) {
    const message = `must be ${AN_IMAGE}, got nothing, and no olm.bundle.object in its place`;
    findings.error(bundle, ['image'], message, 'catalog-bundle-image');
  }
  const named = [
    { path: ['image'], text: image },
    ...relatedImages.map(({ image: text }, i) => ({ path: ['relatedImages', i, 'image'], text })),
  ];
  for (const { path, text } of named) {
    if (text === '' || isCatalogImage(text)) continue;
    findings.error(bundle, path, `must be ${AN_IMAGE}, got ${show(text)}`, 'catalog-image');
  }
}

function checkVersion(
  bundle: CatalogBundle,
  versions: Map<string, CatalogBundle>,
  findings: CatalogFindings,
): void {
  const text = versionTextOf(bundle);
  if (text === undefined) return;
  const key = `${bundle.package}/${text}`;
  const other = versions.get(key);
  if (!other) versions.set(key, bundle);
  else {
    const message = `must be a version that no other bundle of its package has, got ${show(text)}, which ${show(other.name)} has`;
    findings.error(bundle, ['properties'], message, 'catalog-version-unique');
  }
}
