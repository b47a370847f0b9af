import type {
  CustomResourceDescription,
  DeploymentStrategySpec,
  RelatedImage,
  WebhookDefinition,
} from '../../../olm/bundle/cluster-service-version.ts';
import { namespaceOf } from '../../operator/parts/names.ts';
import { operatorParts } from '../../operator/parts/parts.ts';
import type { OperatorSpec } from '../../operator/parts/spec.ts';
import { adaptForOlm, buildStrategy } from './install.ts';
import { isInstalledOperator, type InstalledOperator } from './installed-operator.ts';
import { listExamples, describeOwnedKinds, describeRequiredKinds } from './kinds.ts';
import {
  listSupportingObjects,
  buildDefinitions,
  assignFileNames,
  type BundleObject,
} from './manifests.ts';
import type { BundleProps } from './props.ts';
import { buildWebhookDefinitions } from './webhooks.ts';

/** The parts of a bundle that are derived from its operator. */
export interface BundleContents {
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
