import { emitYaml } from '@tenantry/kube/yaml/write';
import { buildContents, buildCsv } from './manifests.ts';
import { packageName, type BundleProps, type BundleDependency } from './props.ts';
import { bundleImageFile } from '../../bundle/dockerfile.ts';

/** A file of a bundle. */
export interface BundleText {
  /** Relative to the root of the bundle. */
  readonly path: string;
  readonly text: string;
}

/**
 * Renders the files of a bundle (registry+v1), sorted by path. The same props give the same files
 * at any time.
 * @throws {InvalidInput} with all errors of the operator
 */
export function renderBundleFiles(props: BundleProps): readonly BundleText[] {
  const contents = buildContents(props);
  const csv = buildCsv(props, contents);
  const { dependencies = [], properties = [], scorecard } = props;
  const files: BundleText[] = [
    { path: 'bundle.Dockerfile', text: renderBundleDockerfile(props) },
    {
      path: `manifests/${packageName(props).replaceAll(/^\.+|[^\w.-]+/g, '-')}.clusterserviceversion.yaml`,
      text: emitYaml([csv]),
    },
    ...contents.objects.map(({ file, object }) => ({
      path: `manifests/${file}`,
      text: emitYaml([object]),
    })),
    {
      path: 'metadata/annotations.yaml',
      text: emitYaml([{ annotations: buildBundleAnnotations(props) }]),
    },
  ];
  if (dependencies.length > 0) {
    const text = emitYaml([{ dependencies: dependencies.map(formatDependency) }]);
    files.push({ path: 'metadata/dependencies.yaml', text });
  }
  if (properties.length > 0) {
    files.push({ path: 'metadata/properties.yaml', text: emitYaml([{ properties }]) });
  }
  if (scorecard !== false) {
    const config = typeof scorecard === 'object' ? scorecard : buildScorecardConfig(scorecard);
    const text = emitYaml([config]);
    files.push({ path: 'tests/scorecard/config.yaml', text });
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const PREFIX = 'operators.operatorframework.io.';

/** Builds the metadata of a bundle for tools, as annotations that are also labels of its image. */
export function buildBundleAnnotations(props: BundleProps): Record<string, string> {
  const annotations = { ...buildDefaultAnnotations(props), ...props.bundleAnnotations };
  return Object.fromEntries(
    Object.entries(annotations).flatMap(([key, value]) =>
      value === false ? [] : [[key, value] as const],
    ),
  );
}

function buildDefaultAnnotations(props: BundleProps): Record<string, string> {
  const { channels, defaultChannel, scorecard } = props;
  return {
    [`${PREFIX}bundle.mediatype.v1`]: 'registry+v1',
    [`${PREFIX}bundle.manifests.v1`]: 'manifests/',
    [`${PREFIX}bundle.metadata.v1`]: 'metadata/',
    [`${PREFIX}bundle.package.v1`]: packageName(props),
    [`${PREFIX}bundle.channels.v1`]: channels.join(','),
    ...(defaultChannel !== undefined && {
      [`${PREFIX}bundle.channel.default.v1`]: defaultChannel,
    }),
    ...(scorecard !== false && {
      [`${PREFIX}test.mediatype.v1`]: 'scorecard+v1',
      [`${PREFIX}test.config.v1`]: 'tests/scorecard/',
    }),
  };
}

/** Renders the Dockerfile of a bundle's image, which is built in the folder of the Dockerfile. */
function renderBundleDockerfile(props: BundleProps): string {
  const labels = { ...buildBundleAnnotations(props), ...props.imageLabels };
  const folders = [
    'manifests',
    'metadata',
    ...(props.scorecard === false ? [] : ['tests/scorecard']),
  ];
  return bundleImageFile(labels, folders);
}

/** Converts a dependency to its form in metadata/dependencies.yaml. */
function formatDependency(dependency: BundleDependency): object {
  if ('type' in dependency) return dependency;
  if ('gvk' in dependency) return { type: 'olm.gvk', value: dependency.gvk };
  if ('constraint' in dependency) return { type: 'olm.constraint', value: dependency.constraint };
  const { name, versions } = dependency.package;
  return { type: 'olm.package', value: { packageName: name, version: versions } };
}

const SCORECARD = 'quay.io/operator-framework/scorecard-test:v1.41.0';

const suites: readonly (readonly [entrypoint: string, suite: string])[] = [
  ['basic-check-spec', 'basic'],
  ['olm-bundle-validation', 'olm'],
  ['olm-crds-have-validation', 'olm'],
  ['olm-crds-have-resources', 'olm'],
  ['olm-spec-descriptors', 'olm'],
  ['olm-status-descriptors', 'olm'],
];

/** Builds the configuration of the tests that operator-sdk runs against a bundle on a cluster. */
export function buildScorecardConfig(image: string = SCORECARD): object {
  const tests = suites.map(([entrypoint, suite]) => ({
    entrypoint: ['scorecard-test', entrypoint],
    image,
    labels: { suite, test: `${entrypoint}-test` },
    storage: { spec: { mountPath: {} } },
  }));
  return {
    apiVersion: 'scorecard.operatorframework.io/v1alpha3',
    kind: 'Configuration',
    metadata: { name: 'config' },
    stages: [{ parallel: true, tests }],
    storage: { spec: { mountPath: {} } },
  };
}
