import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { Platform } from '../declaration.ts';
import { addTenantryLabels } from '../ownership.ts';
import {
  buildPlatformConfigMap,
  computePlatformDigest,
  renderPlatform,
} from './platform-config-map.ts';
import { buildWorkloadParts, buildAccountParts } from '@tenantry/operator-kit/parts/parts';
import { tenantOperatorSpec } from './tenant-operator-spec.ts';
import { writesBeyondStatus, OPERATOR, listOperatorAccess } from './access.ts';
import { buildRequestPolicy } from './request-policy.ts';
import { findHooks } from './hooks.ts';
import { buildWritePolicy } from './write-policy.ts';

/**
 * Builds all objects of the operator on one cluster by construct id, see `TenantOperator`. Without
 * an image in the platform there are no pods.
 * @param clusterRoles those that classes may bind: `clusterRoles` of a ClassRegistry
 * @throws {Error} if the platform has no such cluster
 */
export function buildOperatorInstallation(
  platform: Platform,
  cluster: string,
  clusterRoles: readonly string[],
): Readonly<Record<string, KubeObject>> {
  const entry = platform.clusters.find(({ name }) => name === cluster);
  if (!entry) {
    const names = platform.clusters.map(({ name }) => name).join(', ');
    throw new Error(`cluster must be one of the platform (${names}), got '${cluster}'`);
  }
  const { operatorNamespace: namespace } = platform;
  const text = renderPlatform(platform);
  const { image } = platform.declared.operator ?? {};
  const objects: Record<string, KubeObject> = {
    platform: buildPlatformConfigMap(text, namespace),
    // Only the platform can decide which image gets these rights.
    ...(image !== undefined &&
      omitUndefined<Record<string, KubeObject>>(
        buildWorkloadParts(
          tenantOperatorSpec({
            platform,
            cluster: entry,
            image,
            digest: computePlatformDigest(text),
          }),
        ),
      )),
  };
  const own = Object.entries(objects).map(([id, one]) => [id, addTenantryLabels(one)] as const);
  return {
    ...buildOperatorObjects({ platform, cluster, clusterRoles }),
    ...Object.fromEntries(own),
  };
}

/** The platform and the cluster of the operator. */
interface OperatorObjectsProps {
  readonly platform: Platform;
  /** The name of one of the platform's clusters. @default - any: with the rights for all of them */
  readonly cluster?: string | undefined;
  /** @default - the operator's, as the platform names it */
  readonly namespace?: string | undefined;
  /** The ClusterRoles that classes may bind: `clusterRoles` of a ClassRegistry. */
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
    ...(platform.driftPolicy === 'Heal' && buildRequestPolicy()),
    ...account.roles,
  };
  return Object.fromEntries(
    Object.entries(objects).map(([id, one]) => [id, addTenantryLabels(one)]),
  );
}
