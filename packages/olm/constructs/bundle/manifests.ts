import type {
  CustomResourceDescription,
  DeploymentStrategySpec,
  RelatedImage,
  WebhookDefinition,
  ClusterServiceVersion,
  ClusterServiceVersionSpec,
} from '../../bundle/cluster-service-version.ts';
import { namespaceOf, manifestOf } from '@tenantry/operator-kit/parts/names';
import { operatorParts, type OperatorParts } from '@tenantry/operator-kit/parts/parts';
import type { OperatorSpec, OperatorKind } from '@tenantry/operator-kit/parts/spec';
import {
  adaptForOlm,
  buildStrategy,
  buildWebhookDefinitions,
  listInstallModes,
} from './install.ts';
import {
  COPIED_FIELDS,
  isInstalledOperator,
  type InstalledOperator,
  type BundleProps,
  bundleName,
  versionOf,
} from './props.ts';
import { listExamples, describeOwnedKinds, describeRequiredKinds } from './kinds.ts';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';

/** The parts of a bundle that are derived from its operator. */
interface BundleContents {
  readonly strategy: DeploymentStrategySpec;
  readonly webhooks: readonly WebhookDefinition[];
  readonly owned: readonly CustomResourceDescription[];
  readonly required: readonly CustomResourceDescription[];
  /** Whole objects; undefined if the props name none. */
  readonly examples: readonly object[] | undefined;
  readonly images: readonly RelatedImage[];
  /** Annotations of the ClusterServiceVersion that describe the operator. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly objects: readonly BundleObject[];
}

/** @throws {InvalidInput} with all errors of the operator */
export function buildContents(props: BundleProps): BundleContents {
  const { operator } = props;
  const made = isInstalledOperator(operator)
    ? copyContents(props, operator)
    : deriveContents(props, operator);
  const { customResources, manifests = [] } = props;
  return {
    ...made,
    ...(customResources && {
      owned: customResources.owned ?? [],
      required: customResources.required ?? [],
    }),
    ...(props.examples && { examples: props.examples.length > 0 ? props.examples : undefined }),
    objects: [...made.objects, ...assignFileNames(manifests, made.objects)],
  };
}

function deriveContents(props: BundleProps, operator: OperatorSpec): BundleContents {
  const parts = operatorParts(adaptForOlm(props, operator));
  return {
    strategy: buildStrategy(operator, parts),
    webhooks: buildWebhookDefinitions(operator),
    owned: describeOwnedKinds(props, operator.access),
    required: describeRequiredKinds(operator),
    examples: listExamples(props),
    images: listImages(props, operator),
    annotations: {
      containerImage: operator.image,
      'operatorframework.io/suggested-namespace': namespaceOf(operator),
    },
    objects: [...buildDefinitions(operator.owned), ...listSupportingObjects(parts)],
  };
}

function copyContents(props: BundleProps, operator: InstalledOperator): BundleContents {
  const { images = [] } = props;
  return {
    strategy: operator.install,
    webhooks: operator.webhooks ?? [],
    owned: describeOwnedKinds(props, []),
    required: [],
    examples: listExamples(props),
    images: isList(images) ? images : toImageList(images),
    annotations: {},
    objects: buildDefinitions(operator.owned),
  };
}

/** Lists the images of the operator's containers and those of the props. */
function listImages({ images = {} }: BundleProps, operator: OperatorSpec): RelatedImage[] {
  const sidecars = (operator.sidecars ?? []).map(({ name, image }) => ({ name, image }));
  const own = [{ name: operator.name, image: operator.image }, ...sidecars];
  const names = new Set(own.map(({ name }) => name));
  const others = isList(images) ? images : toImageList(images);
  return [...own, ...others.filter(({ name }) => !names.has(name))];
}

function isList(
  images: Readonly<Record<string, string>> | readonly RelatedImage[],
): images is readonly RelatedImage[] {
  return Array.isArray(images);
}

function toImageList(images: Readonly<Record<string, string>>): RelatedImage[] {
  return Object.entries(images).map(([name, image]) => ({ name, image }));
}

/** A manifest of a bundle, and the name of its file. */
interface BundleObject {
  readonly file: string;
  readonly object: KubeObject;
}

/** Builds the definitions of kinds as a bundle contains them. */
function buildDefinitions(kinds: readonly OperatorKind[] = []): BundleObject[] {
  return kinds.map((kind) => {
    const object = withoutConversion(manifestOf(kind));
    const { group, names } = object.spec;
    return { file: `${group}_${names.plural}.yaml`, object };
  });
}

/** Lists the objects of an operator that are neither its Deployment nor created by OLM. */
function listSupportingObjects({ workload }: OperatorParts): BundleObject[] {
  const around = [
    workload.service,
    workload['service-monitor'],
    workload['network-policy'],
    workload['disruption-budget'],
  ].filter((object) => object !== undefined);
  return around.map((object) => ({
    file: formatFileName(object),
    object: withoutNamespace(object),
  }));
}

/**
 * Gives each object a file of its own, and leaves the objects unchanged.
 * @param others objects whose files already have names
 */
function assignFileNames(
  objects: readonly KubeObject[],
  others: readonly BundleObject[],
): BundleObject[] {
  const taken = new Set(others.map(({ file }) => file));
  return objects.map((object) => {
    const name = formatFileName(object);
    let file = name;
    for (let i = 2; taken.has(file); i += 1) file = name.replace(/\.yaml$/, `_${i}.yaml`);
    taken.add(file);
    return { file, object };
  });
}

/** Removes the conversion, which OLM fills in: how a webhook of the bundle converts, and its URL. */
function withoutConversion(
  manifest: CustomResourceDefinitionManifest,
): CustomResourceDefinitionManifest {
  const { conversion: _, ...spec } = manifest.spec;
  return { ...manifest, spec };
}

/** Removes the namespace: OLM creates every object in the namespace of the operator. */
function withoutNamespace({ metadata, ...rest }: KubeObject): KubeObject {
  const { namespace: _, ...others } = metadata;
  const { apiVersion, kind, ...more } = rest;
  return { apiVersion, kind, metadata: others, ...more };
}

/** Formats `<name>_<group>_<version>_<kind>.yaml`, without a group for the core group. */
function formatFileName({ apiVersion, kind, metadata }: KubeObject): string {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const parts = [metadata.name, group, version, kind.toLowerCase()];
  const name = parts.filter((part) => part !== '').join('_');
  // Names of roles may contain any character.
  return `${name.replaceAll(/[^\w.-]/g, '-')}.yaml`;
}

/** Builds the ClusterServiceVersion, which describes a version of an operator to OLM. */
export function buildCsv(props: BundleProps, contents: BundleContents): ClusterServiceVersion {
  const { csvLabels: labels } = props;
  const annotations = buildAnnotations(props, contents);
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: bundleName(props), ...(labels && { labels }), annotations },
    spec: buildSpec(props, contents),
  };
}

function buildAnnotations(props: BundleProps, contents: BundleContents): Record<string, string> {
  const { capabilities, categories = [], createdAt, repository, support, skipRange } = props;
  const { examples } = contents;
  const annotations: Record<string, string | undefined> = {
    'alm-examples': examples && JSON.stringify(examples, undefined, 2),
    capabilities,
    categories: categories.length > 0 ? categories.join(', ') : undefined,
    createdAt,
    'olm.skipRange': skipRange,
    ...contents.annotations,
    repository,
    support,
    ...props.annotations,
  };
  const known = Object.entries(annotations).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return Object.fromEntries(known);
}

function buildSpec(props: BundleProps, contents: BundleContents): ClusterServiceVersionSpec {
  const { owned, required, webhooks, images } = contents;
  const { apiServices, specAnnotations, release } = props;
  const version = versionOf(props);
  return {
    displayName: props.displayName,
    ...(version !== '' && { version }),
    ...(release !== undefined && { release }),
    ...copyFields(props),
    ...(specAnnotations && { annotations: specAnnotations }),
    ...(images.length > 0 && { relatedImages: images }),
    installModes: listInstallModes(props),
    install: { strategy: 'deployment', spec: contents.strategy },
    customresourcedefinitions: {
      ...(owned.length > 0 && { owned }),
      ...(required.length > 0 && { required }),
    },
    ...(apiServices && { apiservicedefinitions: apiServices }),
    ...(webhooks.length > 0 && { webhookdefinitions: webhooks }),
  };
}

/** Copies the props that the ClusterServiceVersion has word for word. */
function copyFields(props: BundleProps): Partial<ClusterServiceVersionSpec> {
  const copied = COPIED_FIELDS.flatMap((field) => {
    return props[field] === undefined ? [] : [[field, props[field]] as const];
  });
  return Object.fromEntries(copied);
}
