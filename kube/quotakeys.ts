/**
 * The keys of a ResourceQuota that have names of their own; those that name a resource, a class or a
 * size besides are without number.
 * Source: https://kubernetes.io/docs/concepts/policy/resource-quotas/
 */

/** What is measured, of pods and of volume claims. */
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

/** What is counted. */
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
