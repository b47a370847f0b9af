import type {
  ClusterServiceVersion,
  ClusterServiceVersionSpec,
  RelatedImage,
} from '../../../olm/bundle/clusterserviceversion.ts';
import { namespaceOf } from '../../operator/parts/names.ts';
import type { OperatorParts } from '../../operator/parts/parts.ts';
import { installModes, strategyOf } from './install.ts';
import { examples, ownedDescriptions, requiredDescriptions } from './kinds.ts';
import { bundleName, versionOf } from './named.ts';
import type { BundleProps } from './props.ts';
import { webhookDefinitions } from './webhooks.ts';

/** What OLM knows of a version of an operator. */
export function csvOf(props: BundleProps, parts: OperatorParts): ClusterServiceVersion {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: bundleName(props), annotations: annotationsOf(props) },
    spec: specOf(props, parts),
  };
}

function annotationsOf(props: BundleProps): Record<string, string> {
  const { operator, capabilities, categories = [], createdAt, repository, support } = props;
  const { skipRange } = props;
  const said: Record<string, string | undefined> = {
    'alm-examples': JSON.stringify(examples(props), undefined, 2),
    capabilities,
    categories: categories.length > 0 ? categories.join(', ') : undefined,
    containerImage: operator.image,
    createdAt,
    'olm.skipRange': skipRange,
    'operatorframework.io/suggested-namespace': namespaceOf(operator),
    repository,
    support,
    ...props.annotations,
  };
  const known = Object.entries(said).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return Object.fromEntries(known);
}

function specOf(props: BundleProps, parts: OperatorParts): ClusterServiceVersionSpec {
  const owned = ownedDescriptions(props);
  const required = requiredDescriptions(props);
  const webhooks = webhookDefinitions(props.operator);
  const { apiServices, specAnnotations, release } = props;
  return {
    displayName: props.displayName,
    version: versionOf(props),
    ...(release !== undefined && { release }),
    ...saidOf(props),
    ...(specAnnotations && { annotations: specAnnotations }),
    relatedImages: imagesOf(props),
    installModes: installModes(props),
    install: { strategy: 'deployment', spec: strategyOf(props, parts) },
    customresourcedefinitions: {
      ...(owned.length > 0 && { owned }),
      ...(required.length > 0 && { required }),
    },
    ...(apiServices && { apiservicedefinitions: apiServices }),
    ...(webhooks.length > 0 && { webhookdefinitions: webhooks }),
  };
}

const saidFields = [
  'description',
  'maturity',
  'keywords',
  'maintainers',
  'provider',
  'links',
  'icon',
  'minKubeVersion',
  'nativeAPIs',
  'replaces',
  'skips',
  'labels',
  'selector',
  'cleanup',
] as const;

/** What the props say word for word. */
function saidOf(props: BundleProps): Partial<ClusterServiceVersionSpec> {
  const said = saidFields.flatMap((field) => {
    return props[field] === undefined ? [] : [[field, props[field]] as const];
  });
  return Object.fromEntries(said);
}

function imagesOf({ operator, images = {} }: BundleProps): RelatedImage[] {
  const own = { name: operator.name, image: operator.image };
  const others = Object.entries(images).map(([name, image]) => ({ name, image }));
  return [own, ...others.filter(({ name }) => name !== own.name)];
}
