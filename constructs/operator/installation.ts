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
 * All of the operator on one cluster, see `TenantOperator`; each by its id as a construct. No pods of it
 * where the platform does not say which image they run.
 * @param clusterRoles those that classes may bind: `clusterRoles` of a Fleet
 * @throws {Error} where the platform has no such cluster
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
    // Nobody but the platform can say whose image gets these rights.
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
