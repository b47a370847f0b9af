import type { Bundle } from '../../bundle/bundle.ts';
import type { ClusterServiceVersionSpec } from '../../bundle/cluster-service-version.ts';
import { parseExamples } from '../../normalization/normalized-bundle.ts';
import { isMapping } from '@tenantry/kube/mapping';
import {
  COPIED_FIELDS,
  type BundleProps,
  type Capabilities,
  type Category,
} from '../bundle/props.ts';

type MutablePartial<T> = { -readonly [K in keyof T]?: T[K] };

/** Converts the spec of a ClusterServiceVersion to props. */
export function parseSpecProps(
  spec: Partial<ClusterServiceVersionSpec>,
): MutablePartial<BundleProps> {
  const same = (['release', ...COPIED_FIELDS] as const).flatMap((field) =>
    spec[field] === undefined ? [] : [[field, spec[field]] as const],
  );
  const { installModes = [], relatedImages, annotations, apiservicedefinitions } = spec;
  const { icon: _, ...others } = Object.fromEntries(same) as MutablePartial<BundleProps>;
  const icon = (spec.icon ?? []).filter(({ base64data }) => base64data !== '');
  const modes = new Map(installModes.map(({ type, supported }) => [type, supported]));
  return {
    ...others,
    ...(icon.length > 0 && { icon }),
    ...(annotations && { specAnnotations: annotations }),
    ...(apiservicedefinitions &&
      Object.keys(apiservicedefinitions).length > 0 && { apiServices: apiservicedefinitions }),
    installModes: [...modes].flatMap(([type, supported]) => (supported ? [type] : [])),
    ...(relatedImages && relatedImages.length > 0 && { images: parseImages(relatedImages) }),
    customResources: spec.customresourcedefinitions ?? {},
  };
}

/** Maps the images by name if each name is unique and not a number. Numbers would change the order of the keys. */
function parseImages(
  images: NonNullable<ClusterServiceVersionSpec['relatedImages']>,
): NonNullable<BundleProps['images']> {
  const names = new Set(images.map(({ name }) => name));
  const isPlain = images.every(
    ({ name, image }) => /^[^\d]/.test(name) && name !== '__proto__' && image !== undefined,
  );
  if (!isPlain || names.size < images.length) return images;
  return Object.fromEntries(images.map(({ name, image }) => [name, image]));
}

/** Converts the annotations of a ClusterServiceVersion to props, and keeps the rest as annotations. */
export function parseAnnotationProps(
  annotations: Readonly<Record<string, string>>,
): MutablePartial<BundleProps> {
  const {
    'alm-examples': examples,
    capabilities: level,
    categories: listed,
    createdAt,
    'olm.skipRange': skipRange,
    repository,
    support,
    ...others
  } = annotations;
  const samples = parseExamples(examples);
  const isList = Array.isArray(samples) && samples.every(isMapping);
  const kinds = listed?.split(',').map((one) => one.trim());
  const isKnown = kinds?.every((one) => Object.hasOwn(categories, one)) === true;
  const isLevel = level !== undefined && Object.hasOwn(capabilities, level);
  const rest = {
    ...others,
    ...(examples !== undefined && !isList && { 'alm-examples': examples }),
    ...(level !== undefined && !isLevel && { capabilities: level }),
    ...(listed !== undefined && !isKnown && { categories: listed }),
  };
  return {
    ...(isLevel && { capabilities: level as Capabilities }),
    ...(isKnown && { categories: kinds as Category[] }),
    ...(createdAt !== undefined && { createdAt }),
    ...(skipRange !== undefined && { skipRange }),
    ...(repository !== undefined && { repository }),
    ...(support !== undefined && { support }),
    ...(Object.keys(rest).length > 0 && { annotations: rest }),
    examples: isList ? (samples as object[]) : [],
  };
}

const PREFIX = 'operators.operatorframework.io.bundle.';

/** Converts the metadata of a bundle, outside its manifests, to props. */
export function parseMetadataProps({ annotations, dependencies, properties }: Bundle) {
  const { values } = annotations;
  const defaultChannel = values[`${PREFIX}channel.default.v1`];
  const channels = (values[`${PREFIX}channels.v1`] ?? '').split(',').map((one) => one.trim());
  const plain = dependencies.map(({ type, value }) => parseDependency(type, value));
  const all = properties.map(({ type, value }) => ({ type, value }));
  return {
    channels: channels.filter((one) => one !== ''),
    ...(defaultChannel !== undefined && { defaultChannel }),
    ...(plain.length > 0 && { dependencies: plain }),
    ...(all.length > 0 && { properties: all }),
  } satisfies MutablePartial<BundleProps>;
}

type Dependency = NonNullable<BundleProps['dependencies']>[number];

function parseDependency(type: string, value: unknown): Dependency {
  if (!isMapping(value)) return { type, value };
  const isText = (...names: readonly string[]): boolean =>
    Object.keys(value).length === names.length &&
    names.every((name) => typeof value[name] === 'string');
  if (type === 'olm.gvk' && isText('group', 'version', 'kind')) {
    return { gvk: value as { group: string; version: string; kind: string } };
  }
  if (type === 'olm.package' && isText('packageName', 'version')) {
    return { package: { name: String(value['packageName']), versions: String(value['version']) } };
  }
  return { type, value };
}

/** The capability levels of OperatorHub. */
export const capabilities: Readonly<Record<Capabilities, true>> = {
  'Basic Install': true,
  'Seamless Upgrades': true,
  'Full Lifecycle': true,
  'Deep Insights': true,
  'Auto Pilot': true,
};

/** The categories of OperatorHub. */
export const categories: Readonly<Record<Category, true>> = {
  'AI/Machine Learning': true,
  'Application Runtime': true,
  'Big Data': true,
  'Cloud Provider': true,
  Database: true,
  'Developer Tools': true,
  'Integration & Delivery': true,
  'Logging & Tracing': true,
  'Modernization & Migration': true,
  Monitoring: true,
  Networking: true,
  Observability: true,
  'OpenShift Optional': true,
  Security: true,
  Storage: true,
  'Streaming & Messaging': true,
};
