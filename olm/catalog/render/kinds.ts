import { isMapping } from '../../../kube/mapping.ts';
import { groupOf } from '../../../kube/object.ts';
import type { Bundle, BundleManifest } from '../../bundle/bundle.ts';

/** A kind in a version. */
export interface KindVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Returns the kinds that a bundle provides: those of its definitions, and those of its API servers. */
export function providedKinds(bundle: Bundle): KindVersion[] {
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
