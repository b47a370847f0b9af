import { isMapping } from '@tenantry/kube/mapping';
import type { Bundle } from '../../bundle/bundle.ts';
import type { StrategyDeploymentSpec } from '../../bundle/cluster-service-version.ts';
import type { Decoded } from '../../bundle/decoded.ts';
import type { CatalogBundle, CatalogProperty, CatalogImage } from '../catalog.ts';
import { buildCatalogProperties } from './properties.ts';

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
      ...(contents === 'objects' ? manifestsOf(bundle) : [shownOf(bundle)]),
    ],
    relatedImages: collectBundleImages(bundle, image),
  };
}

function manifestsOf({ manifests }: Bundle): CatalogProperty[] {
  return manifests.map(({ value }) => ({
    type: 'olm.bundle.object',
    value: { data: Buffer.from(JSON.stringify(value)).toString('base64') },
  }));
}

/** Builds the property with the parts of a bundle that people see, and with what is checked before its installation. */
function shownOf({ csv }: Bundle): CatalogProperty {
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
