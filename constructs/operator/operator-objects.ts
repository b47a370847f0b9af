import type { KubeObject } from '../../kube/object.ts';
import { addTenantryLabels } from '../own-object.ts';
import type { Platform } from '../tenant/declaration.ts';
import { writesBeyondStatus, OPERATOR, listOperatorAccess } from './access.ts';
import { findHooks } from './hooks.ts';
import { buildAccountParts } from './parts/parts.ts';
import { buildWritePolicy } from './write-policy.ts';

/** The platform and the cluster of the operator. */
export interface OperatorObjectsProps {
  readonly platform: Platform;
  /** The name of one of the platform's clusters. @default - any: with the rights for all of them */
  readonly cluster?: string | undefined;
  /** @default - the operator's, as the platform names it */
  readonly namespace?: string | undefined;
  /** The ClusterRoles that classes may bind: `clusterRoles` of a Fleet. */
  readonly clusterRoles: readonly string[];
}

/**
 * Builds the objects that the operator needs on a cluster by construct id, see `OperatorAccess`.
 * The policy that bounds its rights comes before them.
 */
export function buildOperatorObjects(
  props: OperatorObjectsProps,
): Readonly<Record<string, KubeObject>> {
  const { platform, cluster, clusterRoles, namespace = platform.operatorNamespace } = props;
  const clusters = cluster === undefined ? platform.clusters.map(({ name }) => name) : [cluster];
  const hasHooks = clusters.some((one) => findHooks(platform, one).length > 0);
  const access = listOperatorAccess(namespace, {
    policy: platform.driftPolicy,
    clusterRoles,
    hasHooks,
    comparedKinds: platform.comparedKinds,
  });
  const account = buildAccountParts({ name: OPERATOR, namespace, access });
  const objects: Record<string, KubeObject> = {
    ...(account.namespace && { namespace: account.namespace }),
    'service-account': account.serviceAccount,
    ...(writesBeyondStatus(access) &&
      buildWritePolicy({ platform, namespace, access, clusterRoles })),
    ...account.roles,
  };
  return Object.fromEntries(
    Object.entries(objects).map(([id, one]) => [id, addTenantryLabels(one)]),
  );
}
