import type { KubeObject } from '../../kube/object.ts';
import type { Platform } from '../tenant/declaration.ts';
import { buildOperatorObjects } from './operator-objects.ts';
import { addTenantryLabels } from '../own-object.ts';
import {
  buildPlatformConfigMap,
  computePlatformDigest,
  renderPlatform,
} from './platform-config-map.ts';
import { omitUndefined, buildWorkloadParts } from './parts/parts.ts';
import { tenantOperatorSpec } from './tenant-operator-spec.ts';

/**
 * Builds all objects of the operator on one cluster by construct id, see `TenantOperator`. Without
 * an image in the platform there are no pods.
 * @param clusterRoles those that classes may bind: `clusterRoles` of a Fleet
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
      omitUndefined(
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
