import { defineRules } from './rule.ts';

/** The rules for quotas and LimitRanges. */
export const quotaRules = defineRules([
  {
    id: 'raise-unused',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'An amount in `quota.temporary` is not above the lasting amount of any namespace, or its key has no bound, so it has no effect. Remove it, or raise it.',
  },
  {
    id: 'quota-key',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'Kubernetes does not count the key, so it would bound nothing. Use a key that Kubernetes counts, such as `requests.cpu` or `count/jobs.batch`.',
  },
  {
    id: 'quota-whole',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'A count of objects is not a whole number, or is above 1P. Write a whole number.',
  },
  {
    id: 'quota-room',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The quota counts objects and has no room for those that are rendered, or that Kubernetes adds to each namespace. Raise it to the number in the message.',
  },
  {
    id: 'quantity',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'An amount is 8Ei or more, the maximum in Kubernetes, or memory or storage is not in whole bytes. Lower it, or write `512Mi` for `512m`, which is half a byte.',
  },
  {
    id: 'byte-unit',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'An amount of memory or storage is less than 1Mi. Kubernetes reads a number without a unit as bytes. Write the unit, such as `16Gi`.',
  },
  {
    id: 'quota-scope',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The scopes of a quota exclude each other, have the wrong operator or values, or do not count one of its keys. Remove the scope or the key that the message names.',
  },
  {
    id: 'quota-unusable',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A part of the quota can never be used: it has more requests than limits, or it is for pods that the class does not allow. Raise the limits or lower the requests, or remove the quota.',
  },
  {
    id: 'total',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'A total cannot be divided: the namespaces with values of their own use more than it, no namespace is left for the rest, or the parts are not whole. Raise the total, lower these values, or add a namespace.',
  },
  {
    id: 'total-share',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'A total is too small for all namespaces, so that one gets no pods, CPU or memory and admits no pod. Raise the total, or give this namespace `weight: 0` if it needs none.',
  },
  {
    id: 'limit-order',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The values of a LimitRange are not in the order `min`, `defaultRequest`, `default`, `max`. Raise or lower the one that the message names.',
  },
  {
    id: 'limit-resource',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'An item of a LimitRange, or a ceiling for them, has a resource that its type cannot request. Remove the resource, or use the type that has it.',
  },
  {
    id: 'limit-shape',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Kubernetes does not accept the item for its type, such as a `default` for `Pod`, or a `PersistentVolumeClaim` without `min` and `max`. Change the field that the message names.',
  },
  {
    id: 'quota-refuses-defaults',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A pod without resources gets defaults from the LimitRange that are above a quota, so it cannot start. Raise the quota or lower the defaults.',
  },
  {
    id: 'quota-admits-none',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A quota is 0 for CPU or memory, or below the `min` of a container, a pod or a volume claim, so no pod or claim fits. Raise the quota or lower `min`, or set `pods` to 0 if there must be no pods.',
  },
  {
    id: 'quota-workloads',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The pods, volume claims or Services in `resources` fit the quota one by one, but not together. Raise the quota, or lower replicas or requests.',
  },
  {
    id: 'workload-refused',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The LimitRange or a quota refuses a Service, or the pods or volume claims of a workload in `resources`. Change its resources, the limits or the quota.',
  },
  {
    id: 'limits-refuse-defaults',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The LimitRange gives a pod without resources defaults that it refuses itself, by `min`, `max` or `maxLimitRequestRatio`, also those of `Pod`. Adjust the defaults or these bounds.',
  },
  {
    id: 'limits-admit-none',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The `min` of a container is above the `max` of a pod, so no pod fits. Lower `min` or raise `max`.',
  },
]);
