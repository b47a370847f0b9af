import { createHash } from 'node:crypto';
import { platform as kind } from '../../crds/platform.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';
import type { Platform } from '../declaration.ts';

/** The name of the ConfigMap that contains the Platform. */
export const PLATFORM_CONFIG_MAP = 'tenantry-platform';
/** The key with the Platform, and the name of the file in the pods. */
export const PLATFORM_FILE = 'platform.yaml';
/** The key with the name of the cluster, for an operator that has no other setting for it. */
export const CLUSTER_KEY = 'cluster';

/** Renders the Platform as a file that is complete in itself, for the operator of a cluster. */
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

/** Computes the digest of a Platform's text. */
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
