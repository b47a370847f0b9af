import { defineRules } from './rule.ts';

/** The rules for quotas and LimitRanges. */
export const quotaRules = defineRules([
  {
    id: 'quota-key',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'Kubernetes counts the key; a key that it accepts but does not count would bound nothing',
  },
  {
    id: 'quota-whole',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'a count is a whole number, up to 1P',
  },
  {
    id: 'quota-room',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a quota that counts objects has room for the rendered objects, and for those that Kubernetes adds',
  },
  {
    id: 'quantity',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'an amount is less than 8Ei, the maximum in Kubernetes; memory and storage are whole bytes: write `512Mi`, because `512m` is half a byte',
  },
  {
    id: 'quota-scope',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'the scopes are compatible with each other and with the keys that they bound',
  },
  {
    id: 'quota-unusable',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the quota on requests is not above the quota on limits, because the rest could never be used; a quota with scopes is for pods that the class allows',
  },
  {
    id: 'total',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'a total can be divided: it covers the fixed parts, in whole units, and a namespace exists for the rest',
  },
  {
    id: 'limit-order',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: '`min`, `defaultRequest`, `default` and `max` are in ascending order',
  },
  {
    id: 'limit-resource',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'the type can request the resource',
  },
  {
    id: 'limit-shape',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'the item has a form that Kubernetes accepts for its type',
  },
  {
    id: 'quota-refuses-defaults',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a pod without resources fits each quota with the defaults of the LimitRange, for the resources that have a default',
  },
  {
    id: 'quota-admits-none',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'no quota is below the `min` of a container, a pod or a volume claim, because no pod or claim would fit',
  },
  {
    id: 'quota-workloads',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'all pods and volume claims of the workloads in `resources`, and all Services, fit the quota together',
  },
  {
    id: 'workload-refused',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the LimitRange and the quotas admit each Service, and the first pods and volume claims of each workload in `resources`',
  },
  {
    id: 'limits-refuse-defaults',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the LimitRange admits a pod without resources: its defaults are within `min`, `max` and `maxLimitRequestRatio`, also those of `Pod`',
  },
  {
    id: 'limits-admit-none',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the `min` of a container is not above the `max` of a pod, because no pod would fit',
  },
]);
