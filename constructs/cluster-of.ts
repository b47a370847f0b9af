import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { CLUSTERS, OUTPUT_PATH, type OutputPath } from '../kube/output.ts';

/** The cluster that the objects of a construct are for, as far as an output path tells; else ''. */
export function clusterOf(construct: IConstruct): string {
  const { metadata } = Chart.of(construct).node;
  const found = metadata.findLast(({ type }) => type === OUTPUT_PATH)?.data as
    OutputPath | undefined;
  const path = typeof found === 'object' ? found.all[0] : (found ?? '');
  const [folder, cluster, ...rest] = path.split('/');
  return folder === CLUSTERS && rest.length > 0 ? (cluster ?? '') : '';
}
