import type {
  CustomResourceDescription,
  DeploymentStrategySpec,
  RelatedImage,
  WebhookDefinition,
} from '../../../olm/bundle/cluster-service-version.ts';
import { namespaceOf } from '../../operator/parts/names.ts';
import { operatorParts } from '../../operator/parts/parts.ts';
import type { OperatorSpec } from '../../operator/parts/spec.ts';
import { operatorUnderOlm, strategyOf } from './install.ts';
import { isInstalled, type InstalledOperator } from './installed-operator.ts';
import { examples, ownedDescriptions, requiredDescriptions } from './kinds.ts';
import {
  aroundObjects,
  definitionObjects,
  furtherObjects,
  type BundleObject,
} from './manifests.ts';
import type { BundleProps } from './props.ts';
import { webhookDefinitions } from './webhooks.ts';

/** What of a bundle comes of its operator, and of how that is said. */
export interface BundleContents {
  readonly strategy: DeploymentStrategySpec;
  readonly webhooks: readonly WebhookDefinition[];
  readonly owned: readonly CustomResourceDescription[];
  readonly required: readonly CustomResourceDescription[];
  /** Whole objects; undefined where nothing is said of any. */
  readonly examples: readonly object[] | undefined;
  readonly images: readonly RelatedImage[];
  /** Annotations of the ClusterServiceVersion that tell of it. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly objects: readonly BundleObject[];
}

/** @throws {InvalidInput} with all that is wrong with the operator */
export function contentsOf(props: BundleProps): BundleContents {
  const { operator } = props;
  const made = isInstalled(operator)
    ? writtenContents(props, operator)
    : derivedContents(props, operator);
  const { customResources, manifests = [] } = props;
  return {
    ...made,
    ...(customResources && {
      owned: customResources.owned ?? [],
      required: customResources.required ?? [],
    }),
    ...(props.examples && { examples: props.examples.length > 0 ? props.examples : undefined }),
    objects: [...made.objects, ...furtherObjects(manifests, made.objects)],
  };
}

function derivedContents(props: BundleProps, operator: OperatorSpec): BundleContents {
  const parts = operatorParts(operatorUnderOlm(props, operator));
  return {
    strategy: strategyOf(operator, parts),
    webhooks: webhookDefinitions(operator),
    owned: ownedDescriptions(props, operator.access),
    required: requiredDescriptions(operator),
    examples: examples(props),
    images: imagesOf(props, operator),
    annotations: {
      containerImage: operator.image,
      'operatorframework.io/suggested-namespace': namespaceOf(operator),
    },
    objects: [...definitionObjects(operator.owned), ...aroundObjects(parts)],
  };
}

function writtenContents(props: BundleProps, operator: InstalledOperator): BundleContents {
  const { images = [] } = props;
  return {
    strategy: operator.install,
    webhooks: operator.webhooks ?? [],
    owned: ownedDescriptions(props, []),
    required: [],
    examples: examples(props),
    images: isList(images) ? images : asList(images),
    annotations: {},
    objects: definitionObjects(operator.owned),
  };
}

/** Those of its containers, and what else is said. */
function imagesOf({ images = {} }: BundleProps, operator: OperatorSpec): RelatedImage[] {
  const sidecars = (operator.sidecars ?? []).map(({ name, image }) => ({ name, image }));
  const own = [{ name: operator.name, image: operator.image }, ...sidecars];
  const names = new Set(own.map(({ name }) => name));
  const others = isList(images) ? images : asList(images);
  return [...own, ...others.filter(({ name }) => !names.has(name))];
}

function isList(
  images: Readonly<Record<string, string>> | readonly RelatedImage[],
): images is readonly RelatedImage[] {
  return Array.isArray(images);
}

function asList(images: Readonly<Record<string, string>>): RelatedImage[] {
  return Object.entries(images).map(([name, image]) => ({ name, image }));
}
