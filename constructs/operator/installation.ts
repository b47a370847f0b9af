import type { KubeObject } from '../../kube/object.ts';
import type { Platform } from '../tenant/declaration.ts';
import { operatorObjects } from './operator-objects.ts';
import { ownObject } from '../own-object.ts';
import { platformConfigMap, platformDigest, platformText } from './platform-config-map.ts';
import { present, workloadParts } from './parts/parts.ts';
import { tenantOperatorSpec } from './tenant-operator-spec.ts';

/**
 * All of the operator on one cluster, see `TenantOperator`; each by its id as a construct. No pods of it
 * where the platform does not say which image they run.
 * @param clusterRoles those that classes may bind: `clusterRoles` of a Fleet
 * @throws {Error} where the platform has no such cluster
 */
export function operatorInstallation(
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
  const text = platformText(platform);
  const { image } = platform.declared.operator ?? {};
  const objects: Record<string, KubeObject> = {
    platform: platformConfigMap(text, namespace),
    // Nobody but the platform can say whose image gets these rights.
    ...(image !== undefined &&
      present(
        workloadParts(
          tenantOperatorSpec({ platform, cluster: entry, image, digest: platformDigest(text) }),
        ),
      )),
  };
  const own = Object.entries(objects).map(([id, one]) => [id, ownObject(one)] as const);
  return { ...operatorObjects({ platform, cluster, clusterRoles }), ...Object.fromEntries(own) };
}
