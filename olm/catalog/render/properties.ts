import { parseJson } from '../../../kube/json.ts';
import { isMapping } from '../../../kube/mapping.ts';
import type { Bundle } from '../../bundle/bundle.ts';
import type { CatalogProperty } from '../catalog.ts';
import { providedKinds, requiredKinds, type KindVersion } from './kinds.ts';

/** The identity of a bundle that becomes a property in addition to its own properties. */
export interface RenderedIdentity {
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
