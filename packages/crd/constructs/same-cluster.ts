import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { CLUSTERS, OUTPUT_PATH, type OutputPath } from '@tenantry/kube/construct-metadata';

/** The objects of a kind in the app of a construct that are for the same cluster as it. */
export function findSameClusterObjects(
  construct: IConstruct,
  { group, kind }: { readonly group: string; readonly kind: string },
): ApiObject[] {
  const cluster = findCluster(construct);
  return construct.node.root.node
    .findAll()
    .filter((one): one is ApiObject => ApiObject.isApiObject(one))
    .filter((one) => one.apiGroup === group && one.kind === kind && findCluster(one) === cluster);
}

/** Returns the cluster that a construct's objects are for, as its output path shows; otherwise ''. */
function findCluster(construct: IConstruct): string {
  const { metadata } = Chart.of(construct).node;
  const found = metadata.findLast(({ type }) => type === OUTPUT_PATH)?.data as
    OutputPath | undefined;
  const path = typeof found === 'object' ? found.all[0] : (found ?? '');
  const [folder, cluster, ...rest] = path.split('/');
  return folder === CLUSTERS && rest.length > 0 ? (cluster ?? '') : '';
}
