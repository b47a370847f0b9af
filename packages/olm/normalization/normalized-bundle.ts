import { isMapping } from '@tenantry/kube/mapping';
import { parseJson } from '@tenantry/kube/json';
import type { Path } from '@tenantry/kube/problem';
import type { Bundle, BundleManifest } from '../bundle/bundle.ts';
import { CSV_KIND, clusterServiceVersion } from '../bundle/cluster-service-version.ts';
import {
  stripClusterFields,
  fillRequiredFields,
  isEmpty,
  omitEmpty,
  omitNulls,
  type Mapping,
} from './normalized-fields.ts';

/**
 * The normalized contents of a bundle: plain data that is equal for two bundles if OLM and Kubernetes treat them the
 * same. Layout, order of keys and files, fields that a cluster writes, and explicit defaults make no difference.
 */
export interface NormalizedBundle {
  readonly csv: Mapping;
  /** The definitions by name. */
  readonly definitions: Mapping;
  /** The other objects, by kind, namespace and name. */
  readonly manifests: Mapping;
  readonly annotations: Mapping;
  /** The labels of the image that are not annotations of the bundle. */
  readonly labels: Mapping;
  readonly dependencies: readonly unknown[];
  readonly properties: readonly unknown[];
  readonly scorecard: unknown;
}

const PREFIX = 'operators.operatorframework.io.';

/** The annotations with the paths of a bundle's files. */
const layout = new Set([
  `${PREFIX}bundle.manifests.v1`,
  `${PREFIX}bundle.metadata.v1`,
  `${PREFIX}test.config.v1`,
  `${PREFIX}test.mediatype.v1`,
]);

export function normalizeBundle(bundle: Bundle): NormalizedBundle {
  const csv = bundle.manifests.find(({ kind }) => kind === CSV_KIND)?.value ?? {};
  const others = bundle.manifests.filter(({ kind }) => kind !== CSV_KIND);
  const converted = findDefinitionsConvertedByOlm(csv);
  return {
    csv: normalizeServiceVersion(csv),
    definitions: keyed(
      others.filter(({ kind }) => kind === DEFINITION),
      ({ name }) => name,
      (value) => normalizeDefinition(value, converted),
    ),
    manifests: keyed(
      others.filter(({ kind }) => kind !== DEFINITION),
      keyOf,
      stripClusterFields,
    ),
    annotations: normalizeBundleAnnotations(bundle),
    labels: normalizeLabels(bundle),
    dependencies: bundle.dependencies.map(({ type, value }) => ({ type, value })),
    properties: bundle.properties.map(({ type, value }) => ({ type, value })),
    scorecard: bundle.scorecard?.value,
  };
}

const DEFINITION = 'CustomResourceDefinition';

/** Indexes objects by key. A repeated object becomes a list. */
function keyed(
  manifests: readonly BundleManifest[],
  key: (manifest: BundleManifest) => string,
  normalize: (value: Mapping) => unknown,
): Mapping {
  const groups = Map.groupBy(manifests, key);
  const entries = [...groups].map(([name, all]) => {
    const values = all.map(({ value }) => normalize(value));
    return [name, values.length === 1 ? values[0] : values] as const;
  });
  return Object.fromEntries(entries);
}

function keyOf({ kind, apiVersion, name, value }: BundleManifest): string {
  const { metadata } = value;
  const namespace = isMapping(metadata) ? metadata['namespace'] : undefined;
  const place = typeof namespace === 'string' ? `${namespace}/` : '';
  return `${kind}.${apiVersion}/${place}${name}`;
}

/** Returns the definitions that a webhook of the bundle converts: OLM writes their conversion. */
export function findDefinitionsConvertedByOlm({ spec }: Mapping): ReadonlySet<unknown> {
  const webhooks = isMapping(spec) ? spec['webhookdefinitions'] : [];
  const named = (Array.isArray(webhooks) ? webhooks : []).flatMap((webhook: unknown) => {
    const names = isMapping(webhook) ? webhook['conversionCRDs'] : [];
    return Array.isArray(names) ? (names as unknown[]) : [];
  });
  return new Set(named);
}

/** Normalizes a definition: removes the status, which only a cluster writes, and a conversion that changes nothing. */
export function normalizeDefinition(value: Mapping, converted: ReadonlySet<unknown>): Mapping {
  const { status: _, ...object } = stripClusterFields(value);
  const { spec, metadata } = object;
  if (!isMapping(spec)) return object;
  const { conversion, ...others } = spec;
  const name = isMapping(metadata) ? metadata['name'] : undefined;
  const isPlain = !isMapping(conversion) || conversion['strategy'] === 'None';
  if (others['preserveUnknownFields'] === false) delete others['preserveUnknownFields'];
  return { ...object, spec: isPlain || converted.has(name) ? others : spec };
}

function normalizeBundleAnnotations({ annotations }: Bundle): Mapping {
  const { values } = annotations;
  const kept = Object.entries(values).filter(([key]) => !layout.has(key));
  const medium = `${PREFIX}bundle.mediatype.v1`;
  return { [medium]: 'registry+v1', ...Object.fromEntries(kept) };
}

function normalizeLabels({ labels, annotations }: Bundle): Mapping {
  const kept = Object.entries(labels?.values ?? {}).filter(
    ([key, value]) => annotations.values[key] !== value && !layout.has(key),
  );
  return Object.fromEntries(kept);
}

/** Normalizes a ClusterServiceVersion. */
function normalizeServiceVersion(csv: Mapping): Mapping {
  const whole = fillRequiredFields(clusterServiceVersion, omitNulls(csv)) as Mapping;
  const { status: _, ...object } = stripClusterFields(whole);
  const { metadata, spec } = object;
  return omitEmpty({
    ...object,
    metadata: isMapping(metadata) ? normalizeMetadata(metadata) : metadata,
    spec: isMapping(spec) ? normalizeSpec(spec) : spec,
  });
}

/** Normalizes its metadata. OLM creates it in the operator's namespace, whatever its own namespace. */
function normalizeMetadata(original: Mapping): Mapping {
  const { namespace: _, annotations, ...metadata } = original;
  return omitEmpty({
    ...metadata,
    annotations: isMapping(annotations) ? normalizeAnnotations(annotations) : annotations,
  });
}

function normalizeAnnotations(annotations: Mapping): Mapping {
  const { 'alm-examples': examples, categories, ...others } = annotations;
  return omitEmpty({
    ...others,
    categories:
      typeof categories === 'string'
        ? categories
            .split(',')
            .map((one) => one.trim())
            .join(',')
        : categories,
    'alm-examples': parseExamples(examples),
  });
}

/** Parses the example objects; returns the text if it is not JSON. */
export function parseExamples(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function normalizeSpec({ installModes, install, ...spec }: Mapping): Mapping {
  const { customresourcedefinitions: custom, apiservicedefinitions: served } = spec;
  return omitEmpty({
    ...spec,
    ...(isMapping(custom) && { customresourcedefinitions: omitEmpty(custom) }),
    ...(isMapping(served) && { apiservicedefinitions: omitEmpty(served) }),
    icon: normalizeIcons(spec['icon']),
    installModes: supported(installModes),
    install: normalizeInstall(install),
  });
}

/** Returns the icons with an image: scaffolds contain one without an image. */
function normalizeIcons(icons: unknown): unknown {
  if (!Array.isArray(icons)) return icons;
  return icons.filter((icon) => !isMapping(icon) || !isEmpty(icon['base64data']));
}

/** Returns the supported modes. Of a repeated mode the last counts; an absent mode is unsupported. */
function supported(modes: unknown): unknown {
  if (!Array.isArray(modes) || !modes.every(isMapping)) return modes;
  const supportByType = new Map(modes.map(({ type, supported }) => [String(type), supported]));
  return [...supportByType].flatMap(([type, is]) => (is === true ? [type] : [])).toSorted();
}

function normalizeInstall(install: unknown): unknown {
  if (!isMapping(install) || !isMapping(install['spec'])) return install;
  return { ...install, spec: omitEmpty(install['spec']) };
}

/** A place where two values differ. */
export interface Difference {
  readonly path: Path;
  /** Undefined if it is absent. */
  readonly one: unknown;
  readonly other: unknown;
}

/**
 * Returns where two JSON values differ, as deep as possible: parts that only one of them has, and parts that are not
 * equal.
 */
export function findDifferences(one: unknown, other: unknown, path: Path = []): Difference[] {
  if (isMapping(one) && isMapping(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].flatMap((key) =>
      findDifferences(own(one, key), own(other, key), [...path, key]),
    );
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((item: unknown, i) => findDifferences(item, other[i], [...path, i]));
  }
  return isSame(one, other) ? [] : [{ path, one, other }];
}

function own(mapping: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || (one === 0 && other === 0);
}
