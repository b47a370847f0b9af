import { builtinNamespaced } from './builtin-kinds.ts';

/**
 * The keys of a ResourceQuota with fixed names. There is no list of those that contain the name of a resource, a class
 * or a size.
 * Source: https://kubernetes.io/docs/concepts/policy/resource-quotas/
 */

/** Measured resources of pods and of volume claims. */
export const measuredKeys: readonly string[] = [
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'requests.storage',
];

/** Counted resources. */
export const countedKeys: readonly string[] = [
  'persistentvolumeclaims',
  'pods',
  'services',
  'services.loadbalancers',
  'services.nodeports',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
];

/**
 * Kinds of the core group that a quota also counts by their plain plural, such as `secrets` beside `count/secrets`.
 * Source: k8s.io/kubernetes pkg/quota/v1/evaluator/core legacyObjectCountAliases
 */
const plainKinds: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
]);

/** Returns the key that counts the objects of a resource. */
export function countKey(group: string, plural: string): string {
  return `count/${plural}${group === '' ? '' : '.'}${group}`;
}

/** Lists the keys that count the same objects as a key: itself, and its other name if it has one. */
export function listCountKeyAliases(key: string): readonly string[] {
  const plural = key.replace(/^count\//, '');
  return plainKinds.has(plural) ? [plural, `count/${plural}`] : [key];
}

/** The kinds by their counting key, as `group/Kind`. */
export const countedKinds: ReadonlyMap<string, string> = new Map(
  [...builtinNamespaced].flatMap(([id, plural]): [string, string][] => {
    const [group = ''] = id.split('/');
    const key = countKey(group, plural);
    return [key, ...(group === '' ? listCountKeyAliases(key) : [])].map((one) => [one, id]);
  }),
);
