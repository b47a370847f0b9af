import { emitYaml } from '../../../kube/yaml/write.ts';
import { contentsOf } from './contents.ts';
import { csvOf } from './csv.ts';
import { bundleAnnotations, bundleDockerfile, dependencyOf, scorecardConfig } from './metadata.ts';
import { packageName } from './named.ts';
import type { BundleProps } from './props.ts';

/** A file of a bundle. */
export interface BundleText {
  /** From the root of the bundle. */
  readonly path: string;
  readonly text: string;
}

/**
 * The files of a bundle (registry+v1), sorted by path. The same for the same props: it asks no clock.
 * @throws {InvalidInput} with all that is wrong with the operator
 */
export function bundleFiles(props: BundleProps): readonly BundleText[] {
  const contents = contentsOf(props);
  const csv = csvOf(props, contents);
  const { dependencies = [], properties = [], scorecard } = props;
  const files: BundleText[] = [
    { path: 'bundle.Dockerfile', text: bundleDockerfile(props) },
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
      text: emitYaml([{ annotations: bundleAnnotations(props) }]),
    },
  ];
  if (dependencies.length > 0) {
    const text = emitYaml([{ dependencies: dependencies.map(dependencyOf) }]);
    files.push({ path: 'metadata/dependencies.yaml', text });
  }
  if (properties.length > 0) {
    files.push({ path: 'metadata/properties.yaml', text: emitYaml([{ properties }]) });
  }
  if (scorecard !== false) {
    const config = typeof scorecard === 'object' ? scorecard : scorecardConfig(scorecard);
    const text = emitYaml([config]);
    files.push({ path: 'tests/scorecard/config.yaml', text });
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
