import { defineRules } from './rule.ts';

/** The rules for labels, annotations and workloads. */
export const metadataRules = defineRules([
  {
    id: 'reserved-key',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'a label or annotation is not [reserved](metadata.md#keys-that-nobody-declares)',
  },
  {
    id: 'metadata-key',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the class [allows](metadata.md#keys-that-tenants-may-set) the label or annotation',
  },
  {
    id: 'key',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'keys and values of labels and annotations have the form that Kubernetes requires',
  },
  {
    id: 'annotations-size',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'the annotations of an object have at most 262144 bytes, including keys',
  },
  {
    id: 'contact-key',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: "a key of `contact` is one of the platform's `metadataKeys`",
  },
  {
    id: 'selector',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'Kubernetes accepts the label selector',
  },
  {
    id: 'disruption-budget',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'after merging, a budget has either `minAvailable` or `maxUnavailable`',
  },
  {
    id: 'disruption-budget-blocks',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description: 'at least one pod can be evicted, with the maximum number of pods of the quota',
  },
  {
    id: 'pod-priority',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a pod of an object in `resources` has a PriorityClass that the class allows; a warning in custom resources',
  },
  {
    id: 'pod-affinity',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a pod of an object in `resources` has no affinity to pods of other namespaces, unless the class allows it; a warning in custom resources',
  },
  {
    id: 'pull-secrets',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description: 'pull secrets have a service account, because otherwise no pod uses them',
  },
]);
