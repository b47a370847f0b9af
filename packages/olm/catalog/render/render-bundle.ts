import { isMapping } from '@tenantry/kube/mapping';
import type { Bundle, BundleManifest } from '../../bundle/bundle.ts';
import type { StrategyDeploymentSpec } from '../../bundle/cluster-service-version.ts';
import type { Decoded } from '../../bundle/decoded.ts';
import type { CatalogBundle, CatalogProperty, CatalogImage } from '../catalog.ts';
import { parseJson } from '@tenantry/kube/json';
import { groupOf } from '@tenantry/kube/object';

/** Options of `renderBundle`. */
export interface RenderOptions {
  /** The image of the bundle. */
  readonly image: string;
  /** Its package. */
  readonly package: string;
  /**
   * The contents of the bundle in the catalog. `metadata`: the parts for people, in one property (`olm.csv.metadata`).
   * `objects`: all manifests (`olm.bundle.object`), which OpenShift before 4.15 needs.
   * @default 'metadata'
   */
  readonly contents?: 'metadata' | 'objects';
}

/** Renders a bundle for a catalog. Its name and version are those of its ClusterServiceVersion. */
export function renderBundle(bundle: Bundle, options: RenderOptions): CatalogBundle {
  const { image, contents = 'metadata' } = options;
  const { metadata, spec } = bundle.csv?.value ?? {};
  const identity = {
    package: options.package,
    version: spec?.version ?? '',
    release: spec?.release ?? '',
  };
  return {
    schema: 'olm.bundle',
    name: metadata?.name ?? '',
    package: options.package,
    image,
    properties: [
      ...buildCatalogProperties(bundle, identity),
      ...(contents === 'objects'
        ? buildManifestProperties(bundle)
        : [buildMetadataProperty(bundle)]),
    ],
    relatedImages: collectBundleImages(bundle, image),
  };
}

function buildManifestProperties({ manifests }: Bundle): CatalogProperty[] {
  return manifests.map(({ value }) => ({
    type: 'olm.bundle.object',
    value: { data: Buffer.from(JSON.stringify(value)).toString('base64') },
  }));
}

/** Builds the property with the parts of a bundle that people see, and with what is checked before its installation. */
function buildMetadataProperty({ csv }: Bundle): CatalogProperty {
  const { metadata = {}, spec = {} } = csv?.value ?? {};
  const value = {
    annotations: metadata.annotations,
    apiServiceDefinitions: spec.apiservicedefinitions ?? {},
    crdDescriptions: spec.customresourcedefinitions ?? {},
    description: spec.description,
    displayName: spec.displayName,
    installModes: spec.installModes,
    keywords: spec.keywords,
    labels: metadata.labels,
    links: spec.links,
    maintainers: spec.maintainers,
    maturity: spec.maturity,
    minKubeVersion: spec.minKubeVersion,
    nativeAPIs: spec.nativeAPIs,
    provider: spec.provider ?? {},
  };
  return { type: 'olm.csv.metadata', value: withoutEmpty(value) };
}

/** Drops empty fields as Go does, except for mappings that represent a struct. */
function withoutEmpty(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(value).filter(([key, one]) => {
    if (one === undefined || one === '') return false;
    if (Array.isArray(one)) return one.length > 0;
    const isMap = key === 'annotations' || key === 'labels';
    return !isMap || !isMapping(one) || Object.keys(one).length > 0;
  });
  return Object.fromEntries(kept);
}

/** Collects all images that a bundle needs, including its own, sorted and without duplicates. */
function collectBundleImages({ csv }: Bundle, image: string): CatalogImage[] {
  const { relatedImages = [], install } = csv?.value.spec ?? {};
  const declared = relatedImages.map(({ name = '', image: one = '' }) => ({ name, image: one }));
  const known = new Set(declared.map((one) => one.image));
  const deployments = install?.strategy === 'deployment' ? (install.spec?.deployments ?? []) : [];
  const run = deployments.flatMap(({ spec }) => containerImages(spec));
  const more = [...new Set([image, ...run])].filter((one) => one !== '' && !known.has(one));
  const all = [...declared, ...more.map((one) => ({ name: '', image: one }))];
  return all.toSorted((a, b) => order(a.image, b.image) || order(a.name, b.name));
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns the images of the containers of a Deployment. */
function containerImages({ template }: Decoded<StrategyDeploymentSpec> = {}): string[] {
  const { containers = [], initContainers = [] } = template?.spec ?? {};
  return [...containers, ...initContainers].flatMap(({ image }) => image ?? []);
}

/** The identity of a bundle that becomes a property in addition to its own properties. */
interface RenderedIdentity {
  readonly package: string;
  readonly version: string;
  /** Empty if there is none. */
  readonly release: string;
}

/** Builds the properties of a bundle in a catalog, without duplicates, sorted by type and value. */
function buildCatalogProperties(bundle: Bundle, identity: RenderedIdentity): CatalogProperty[] {
  const { version, release } = identity;
  const declared = [...bundle.properties, ...annotatedProperties(bundle)];
  const all: CatalogProperty[] = [
    {
      type: 'olm.package',
      value: { packageName: identity.package, version, ...(release !== '' && { release }) },
    },
    ...providedKinds(bundle).map((kind) => gvk('olm.gvk', kind)),
    ...requiredKinds(bundle).map((kind) => gvk('olm.gvk.required', kind)),
    ...declared.filter(({ type }) => type !== 'olm.package').map(normal),
    ...bundle.dependencies.map(required),
  ];
  const byText = new Map(all.map((one) => [`${one.type} ${JSON.stringify(one.value)}`, one]));
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, property]) => property);
}

/** The annotation of the ClusterServiceVersion that can contain further properties. */
const ANNOTATION = 'olm.properties';

/** Returns the properties in the annotation of the ClusterServiceVersion. */
export function annotatedProperties({ csv }: Bundle): CatalogProperty[] {
  const text = csv?.value.metadata?.annotations?.[ANNOTATION];
  if (text === undefined) return [];
  try {
    const list: unknown = parseJson(text);
    if (!Array.isArray(list)) return [];
    return list.flatMap((one) => {
      const type: unknown = isMapping(one) ? one['type'] : undefined;
      return isMapping(one) && typeof type === 'string' ? [{ type, value: one['value'] }] : [];
    });
  } catch {
    // OLM ignores an annotation that is not JSON.
    return [];
  }
}

function gvk(type: string, { group, kind, version }: KindVersion): CatalogProperty {
  return { type, value: { group, kind, version } };
}

function normal({ type, value }: CatalogProperty): CatalogProperty {
  return type === 'olm.gvk' && isMapping(value) ? gvk(type, toKindVersion(value)) : { type, value };
}

/** Converts a dependency to the property with which a resolver requires it. */
function required({ type, value }: CatalogProperty): CatalogProperty {
  if (type === 'olm.gvk' && isMapping(value)) return gvk('olm.gvk.required', toKindVersion(value));
  if (type !== 'olm.package' || !isMapping(value)) return { type, value };
  const { packageName, version: versionRange } = value;
  return { type: 'olm.package.required', value: { packageName, versionRange } };
}

function toKindVersion({ group, kind, version }: Readonly<Record<string, unknown>>): KindVersion {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { group: text(group), kind: text(kind), version: text(version) };
}

/** A kind in a version. */
interface KindVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Returns the kinds that a bundle provides: those of its definitions, and those of its API servers. */
function providedKinds(bundle: Bundle): KindVersion[] {
  const served = bundle.csv?.value.spec?.apiservicedefinitions?.owned ?? [];
  return [...bundle.manifests.flatMap(listKinds), ...served.map(described)];
}

/** Returns the kinds that a bundle requires from others. */
export function requiredKinds({ csv }: Bundle): KindVersion[] {
  const { customresourcedefinitions, apiservicedefinitions } = csv?.value.spec ?? {};
  const definitions = customresourcedefinitions?.required ?? [];
  return [
    ...definitions.map(({ name = '', version = '', kind = '' }) => {
      return { group: name.slice(name.indexOf('.') + 1), version, kind };
    }),
    ...(apiservicedefinitions?.required ?? []).map(described),
  ];
}

function described({ group = '', version = '', kind = '' }: Partial<KindVersion>): KindVersion {
  return { group, version, kind };
}

/** Returns the kinds of a definition, including one of v1beta1, which may name a version of its own. */
function listKinds({ apiVersion, kind, value }: BundleManifest): KindVersion[] {
  const { spec } = value;
  if (groupOf(apiVersion) !== 'apiextensions.k8s.io' || kind !== 'CustomResourceDefinition')
    return [];
  if (!isMapping(spec) || !isMapping(spec['names'])) return [];
  const { group, versions = [], version } = spec;
  const names = [version, ...(Array.isArray(versions) ? versions.map(readName) : [])];
  const name = spec['names']['kind'];
  if (typeof group !== 'string' || typeof name !== 'string') return [];
  const known = names.filter((one) => typeof one === 'string');
  return [...new Set(known)].map((one) => ({ group, version: one, kind: name }));
}

function readName(version: unknown): unknown {
  return isMapping(version) ? version['name'] : undefined;
}
