import { parseArgs } from 'node:util';
import { Chart } from 'cdk8s';
import { App, emitYaml, type KubeObject } from '../../index.ts';
import { Operator } from '@tenantry/operator-kit/constructs';
import { NAME } from './deployment.ts';
import { operatorOf, type InstallProps } from './operator.ts';
import { LATEST, versionOf, type ReleaseVersion } from './releases.ts';

/**
 * Returns the objects that a release needs in a cluster, in the order of application; its rights follow
 * from the access rules of its controllers.
 */
export function manifestsOf(
  version: ReleaseVersion = LATEST,
  props: InstallProps = {},
): readonly KubeObject[] {
  const chart = new Chart(new App(), NAME);
  new Operator(chart, 'operator', operatorOf(version, props));
  return chart.toJson();
}

/** Without an image no pod runs, and you can run the operator on your machine. */
if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      'for-life': { type: 'boolean', default: false },
      monitor: { type: 'boolean', default: false },
      release: { type: 'string', default: LATEST },
    },
  });
  const [image] = positionals;
  const manifests = manifestsOf(versionOf(values.release), {
    ...(image === undefined ? { replicas: 0 } : { image }),
    election: values['for-life'] ? 'for-life' : 'lease',
    hasMonitors: values.monitor,
  });
  process.stdout.write(emitYaml(manifests));
}
