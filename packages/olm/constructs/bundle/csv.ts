import type {
  ClusterServiceVersion,
  ClusterServiceVersionSpec,
} from '../../bundle/cluster-service-version.ts';
import type { BundleContents } from './contents.ts';
import { listInstallModes } from './install.ts';
import { bundleName, versionOf, type BundleProps } from './props.ts';

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

const copiedFields = [
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

/** Copies the props that the ClusterServiceVersion has word for word. */
function copyFields(props: BundleProps): Partial<ClusterServiceVersionSpec> {
  const copied = copiedFields.flatMap((field) => {
    return props[field] === undefined ? [] : [[field, props[field]] as const];
  });
  return Object.fromEntries(copied);
}
