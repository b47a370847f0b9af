import { emitYaml } from '../../../kube/yaml/write.ts';
import { buildContents } from './contents.ts';
import { buildCsv } from './csv.ts';
import {
  buildBundleAnnotations,
  renderBundleDockerfile,
  formatDependency,
  buildScorecardConfig,
} from './metadata.ts';
import { packageName } from './named.ts';
import type { BundleProps } from './props.ts';

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
