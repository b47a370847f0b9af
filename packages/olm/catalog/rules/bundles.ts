import { show } from '@tenantry/kube/problem';
import { parseJson } from '@tenantry/kube/json';
import { prefixFinding } from '@tenantry/kube/finding';
import { entryOf, isMapping } from '@tenantry/kube/mapping';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { A_VERSION, parseVersion } from '@tenantry/kube/semver';
import { isCatalogImage, AN_IMAGE } from '../../image/reference.ts';
import { A_RELEASE, isRelease } from '../../semver/version.ts';
import type { Catalog, CatalogBundle, CatalogFindings, CatalogProperty } from '../catalog.ts';
import { propertySchemas, decodeCatalogValue } from '../read/blob-decoding.ts';
import type { IndexedPackage } from './packages.ts';

/** Validates bundles: names and versions are unique, each is in a channel and has an image. */
export function checkBundles(
  catalog: Catalog,
  packages: ReadonlyMap<string, IndexedPackage>,
  findings: CatalogFindings,
): void {
  const entries = new Map<IndexedPackage, ReadonlySet<string>>();
  for (const one of packages.values()) entries.set(one, listEntryNames(one));
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

function listEntryNames({ channels }: IndexedPackage): ReadonlySet<string> {
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
  const text = findVersionText(bundle);
  if (text === undefined) return;
  const key = `${bundle.package}/${text}`;
  const other = versions.get(key);
  if (!other) versions.set(key, bundle);
  else {
    const message = `must be a version that no other bundle of its package has, got ${show(text)}, which ${show(other.name)} has`;
    findings.error(bundle, ['properties'], message, 'catalog-version-unique');
  }
}

const PACKAGE = 'olm.package';

/**
 * Validates properties: each has the form that its type requires, and exactly one declares the version of the bundle.
 */
function checkProperties(bundle: CatalogBundle, findings: CatalogFindings): void {
  const { properties } = bundle;
  for (const [i, property] of properties.entries()) checkForm(bundle, property, i, findings);
  const packageIndexes = properties.flatMap((one, i) => (one.type === PACKAGE ? [i] : []));
  const [index] = packageIndexes;
  if (index === undefined || packageIndexes.length > 1) {
    const message = `must contain exactly one property of type '${PACKAGE}', got ${packageIndexes.length}`;
    findings.error(bundle, ['properties'], message, 'catalog-package-property');
    return;
  }
  const version = findVersion(bundle);
  if (version) checkPackage(bundle, ['properties', index, 'value'], version, findings);
}

function checkForm(
  bundle: CatalogBundle,
  { type, value }: CatalogProperty,
  index: number,
  findings: CatalogFindings,
): void {
  const path = ['properties', index, 'value'];
  const wrong = (message: string): void => {
    findings.error(bundle, path, message, 'catalog-property');
  };
  if (value === undefined) return wrong(`must be the value of ${show(type)}, got nothing`);
  const schema = entryOf(propertySchemas, type);
  if (!schema) return undefined;
  const errors = decodeCatalogValue(schema, value).findings.filter(
    ({ severity }) => severity === 'error',
  );
  for (const error of errors) {
    const { path: at, message } = prefixFinding(path, error);
    findings.error(bundle, at, message, 'catalog-property');
  }
  if (errors.length > 0 || type !== 'olm.bundle.object' || isManifest(value)) return undefined;
  return wrong('must be a manifest, as JSON or YAML in base64, got something else');
}

/** Whether a base64 text contains JSON or YAML. */
function isManifest(value: unknown): boolean {
  const data = isMapping(value) ? value['data'] : undefined;
  if (typeof data !== 'string') return false;
  const text = Buffer.from(data, 'base64').toString('utf8');
  try {
    parseJson(text);
    return true;
  } catch {
    return readDocuments(text).problems.length === 0;
  }
}

/** The version that a bundle declares. */
interface DeclaredVersion {
  readonly packageName: string;
  readonly version: string;
  /** Empty if there is none. */
  readonly release: string;
}

/** Returns the version in the only property `olm.package`, if its form is valid. */
function findVersion({ properties }: CatalogBundle): DeclaredVersion | undefined {
  const [property, ...more] = properties.filter(({ type }) => type === PACKAGE);
  if (property === undefined || more.length > 0) return undefined;
  const { value, findings } = decodeCatalogValue(propertySchemas[PACKAGE]!, property.value);
  if (!isMapping(value) || findings.some(({ severity }) => severity === 'error')) return undefined;
  const { packageName, version, release = '' } = value;
  return { packageName: String(packageName), version: String(version), release: String(release) };
}

/** Returns the version that must be unique: with the release, if there is one. */
function findVersionText(bundle: CatalogBundle): string | undefined {
  const declared = findVersion(bundle);
  if (!declared || !parseVersion(declared.version)) return undefined;
  return declared.release === '' ? declared.version : `${declared.version}-${declared.release}`;
}

function checkPackage(
  bundle: CatalogBundle,
  path: readonly (string | number)[],
  { packageName, version, release }: DeclaredVersion,
  findings: CatalogFindings,
): void {
  if (packageName !== bundle.package) {
    const message = `must be the package of the bundle, ${show(bundle.package)}, got ${show(packageName)}`;
    findings.error(bundle, [...path, 'packageName'], message, 'catalog-package-property');
  }
  const parsed = parseVersion(version);
  if (!parsed) {
    const message = `must be ${A_VERSION}, got ${show(version)}`;
    findings.error(bundle, [...path, 'version'], message, 'catalog-version');
  }
  if (release === '') return;
  const at = [...path, 'release'];
  if (!isRelease(release)) {
    findings.error(bundle, at, `must be ${A_RELEASE}, got ${show(release)}`, 'catalog-release');
  } else if (parsed && parsed.build.length > 0) {
    const message = `must be left out where the version has a build, got ${show(release)} beside ${show(version)}`;
    findings.error(bundle, at, message, 'catalog-release');
  } else if (parsed && bundle.name !== `${bundle.package}-v${version}-${release}`) {
    const name = `${bundle.package}-v${version}-${release}`;
    const message = `must be ${show(name)}, since the bundle has a release, got ${show(bundle.name)}`;
    findings.error(bundle, ['name'], message, 'catalog-release');
  }
}
