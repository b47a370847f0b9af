import { parseJson } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';
import { groupOf } from '@tenantry/kube/object';
import type { Bundle, BundleManifest } from '../../bundle/bundle.ts';
import type { CatalogProperty } from '../catalog.ts';

/** The identity of a bundle that becomes a property in addition to its own properties. */
interface RenderedIdentity {
  readonly package: string;
  readonly version: string;
  /** Empty if there is none. */
  readonly release: string;
}

/** Builds the properties of a bundle in a catalog, without duplicates, sorted by type and value. */
export function buildCatalogProperties(
  bundle: Bundle,
  identity: RenderedIdentity,
): CatalogProperty[] {
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
  return type === 'olm.gvk' && isMapping(value) ? gvk(type, kindOf(value)) : { type, value };
}

/** Converts a dependency to the property with which a resolver requires it. */
function required({ type, value }: CatalogProperty): CatalogProperty {
  if (type === 'olm.gvk' && isMapping(value)) return gvk('olm.gvk.required', kindOf(value));
  if (type !== 'olm.package' || !isMapping(value)) return { type, value };
  const { packageName, version: versionRange } = value;
  return { type: 'olm.package.required', value: { packageName, versionRange } };
}

function kindOf({ group, kind, version }: Readonly<Record<string, unknown>>): KindVersion {
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
  return [...bundle.manifests.flatMap(kindsOf), ...served.map(described)];
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
function kindsOf({ apiVersion, kind, value }: BundleManifest): KindVersion[] {
  const { spec } = value;
  if (groupOf(apiVersion) !== 'apiextensions.k8s.io' || kind !== 'CustomResourceDefinition')
    return [];
  if (!isMapping(spec) || !isMapping(spec['names'])) return [];
  const { group, versions = [], version } = spec;
  const names = [version, ...(Array.isArray(versions) ? versions.map(nameOf) : [])];
  const name = spec['names']['kind'];
  if (typeof group !== 'string' || typeof name !== 'string') return [];
  const known = names.filter((one) => typeof one === 'string');
  return [...new Set(known)].map((one) => ({ group, version: one, kind: name }));
}

function nameOf(version: unknown): unknown {
  return isMapping(version) ? version['name'] : undefined;
}
