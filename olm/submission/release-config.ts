import { emitYaml } from '../../kube/yaml/write.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { entryOf } from '../../kube/mapping.ts';
import type { CatalogTemplate } from './ci-config.ts';

const PREFIX = 'operators.operatorframework.io.bundle.';

/** The channels of a template of type `olm.semver`, by their names in bundles. */
const semverChannels: ReadonlyMap<string, string> = new Map([
  ['candidate', 'Candidate'],
  ['fast', 'Fast'],
  ['stable', 'Stable'],
]);

/**
 * Renders the `release-config.yaml` of a version, with which the pipeline adds the version to the templates of the
 * catalog. Returns undefined if no template has a channel of the bundle.
 *
 * Source: https://redhat-openshift-ecosystem.github.io/operator-pipelines/users/fbc_autorelease/
 */
export function releaseConfigText(
  { csv, annotations }: Bundle,
  templates: readonly CatalogTemplate[],
): string | undefined {
  const { metadata = {}, spec = {} } = csv?.value ?? {};
  const readBundleAnnotation = (name: string): string =>
    entryOf(annotations.values, `${PREFIX}${name}`) ?? '';
  const named = readBundleAnnotation('channels.v1').split(',');
  const channels = [...new Set(named.map((one) => one.trim()))].filter(Boolean);
  const defaultChannel = readBundleAnnotation('channel.default.v1');
  const skipRange = entryOf(metadata.annotations, 'olm.skipRange') ?? '';
  const entries = templates.map(({ name, type }) => {
    if (type === 'olm.semver') {
      const known = channels.flatMap((one) => semverChannels.get(one) ?? []);
      const first = semverChannels.get(defaultChannel);
      return { template_name: name, channels: known, ...(first && { defaultChannel: first }) };
    }
    const { replaces = '', skips = [] } = spec;
    return {
      template_name: name,
      channels,
      ...(defaultChannel !== '' && { defaultChannel }),
      ...(replaces !== '' && { replaces }),
      ...(skips.length > 0 && { skips: [...new Set(skips)] }),
      ...(skipRange !== '' && { skipRange }),
    };
  });
  const withChannels = entries.filter((entry) => entry.channels.length > 0);
  return withChannels.length === 0 ? undefined : emitYaml([{ catalog_templates: withChannels }]);
}
