import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { clusterOf } from './cluster-of.ts';

/** The objects of a kind in the app of a construct that are for the same cluster as it. */
export function findSameClusterObjects(
  construct: IConstruct,
  { group, kind }: { readonly group: string; readonly kind: string },
): ApiObject[] {
  const cluster = clusterOf(construct);
  return construct.node.root.node
    .findAll()
    .filter((one): one is ApiObject => ApiObject.isApiObject(one))
    .filter((one) => one.apiGroup === group && one.kind === kind && clusterOf(one) === cluster);
}
