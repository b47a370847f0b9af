import { createHash } from 'node:crypto';
import { platform as kind } from '../../crds/tenantry/platform.ts';
import type { KubeObject } from '../../kube/object.ts';
import { emitYaml } from '../../kube/yaml/write.ts';
import type { Platform } from '../tenant/declaration.ts';

/** By which the Platform reaches the cluster. */
export const PLATFORM_CONFIG_MAP = 'tenantry-platform';
/** The key of it that holds the Platform, and the file that pods see. */
export const PLATFORM_FILE = 'platform.yaml';
/** The key of it that says which of the Platform's clusters this is, where nothing else does. */
export const CLUSTER_KEY = 'cluster';

/** The Platform as a file that the operator of a cluster can read: it needs no other files. */
export function renderPlatform({ declared, kinds, comparedKinds }: Platform): string {
  const { kinds: _, ...rest } = declared;
  const known = [...kinds].map(([name, scope]) => {
    const at = name.lastIndexOf('/');
    const [group, kind] = [name.slice(0, at), name.slice(at + 1)];
    const compared = comparedKinds.find((one) => one.group === group && one.kind === kind);
    const { plural, version } = compared ?? {};
    return { group, kind, scope, ...(compared && { plural, version }) };
  });
  const spec = { ...rest, ...(known.length > 0 && { kinds: known }) };
  const { apiVersion } = kind;
  return emitYaml([{ apiVersion, kind: kind.kind, metadata: { name: 'platform' }, spec }]);
}

/** Which text a Platform is. */
export function computePlatformDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

export function buildPlatformConfigMap(text: string, namespace: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: PLATFORM_CONFIG_MAP, namespace },
    data: { [PLATFORM_FILE]: text },
  };
}
