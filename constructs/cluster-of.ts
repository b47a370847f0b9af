import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { CLUSTERS, OUTPUT_PATH, type OutputPath } from '../kube/output.ts';

/** Returns the cluster that a construct's objects are for, as its output path shows; otherwise ''. */
export function clusterOf(construct: IConstruct): string {
  const { metadata } = Chart.of(construct).node;
  const found = metadata.findLast(({ type }) => type === OUTPUT_PATH)?.data as
    OutputPath | undefined;
  const path = typeof found === 'object' ? found.all[0] : (found ?? '');
  const [folder, cluster, ...rest] = path.split('/');
  return folder === CLUSTERS && rest.length > 0 ? (cluster ?? '') : '';
}
