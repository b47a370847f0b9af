import { defineRules } from './rule.ts';

/** The rules for labels, annotations and workloads. */
export const metadataRules = defineRules([
  {
    id: 'reserved-key',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The label or annotation is [reserved](metadata.md#keys-that-nobody-declares) for Kubernetes, Argo CD or Tenantry. Remove it.',
  },
  {
    id: 'metadata-key',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The class does not [allow](metadata.md#keys-that-tenants-may-set) the label or annotation. Remove it, or add it to `allow.labels` or `allow.annotations` of the class.',
  },
  {
    id: 'key',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'A key or value of a label or annotation does not have the form that Kubernetes requires. Use a key such as `example.com/name`, and the value that the message describes.',
  },
  {
    id: 'annotations-size',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The annotations of an object, including keys, have more than 262144 bytes. Shorten or remove some.',
  },
  {
    id: 'contact-key',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'A key of `contact` is not in `metadataKeys` of the platform file. Use one of these keys, or add it there.',
  },
  {
    id: 'selector',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'Kubernetes does not accept the label selector. Correct the part that the message names.',
  },
  {
    id: 'disruption-budget',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'After merging, a budget has both `minAvailable` and `maxUnavailable`, because one comes from the class. Set the same field as the class, or use another name.',
  },
  {
    id: 'disruption-budget-blocks',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'No pod can ever be evicted, even with the maximum number of pods of the quota, so nodes cannot be drained. Lower `minAvailable`, or use `maxUnavailable`.',
  },
  {
    id: 'pod-priority',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The class does not allow the PriorityClass of a pod in `resources`. Use one of `allow.priorityClasses`. This is a warning in custom resources.',
  },
  {
    id: 'pod-affinity',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A pod in `resources` has affinity to pods of other namespaces, which the class does not allow. Remove the term, or set `allow.crossNamespaceAffinity` of the class. This is a warning in custom resources.',
  },
  {
    id: 'allow-list',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'An object in `resources` uses an image, a StorageClass, an IngressClass or something else that the class does not list in `allow`. Use one that it lists. This is a warning in custom resources that have a pod template.',
  },
  {
    id: 'image-version',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'An image in `resources` has no tag or digest, or only the tag `latest`, and `hardening.imageVersion` of the class requires one. Add it. This is a warning in custom resources that have a pod template.',
  },
  {
    id: 'pod-security',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The level in `podSecurity.enforce` refuses the pods of a workload in `resources`. Change the field of the pod, or the level. A field that `restricted` requires and that is not set is a warning, because a webhook may fill it in; so does `hardening.podDefaults` of the class.',
  },
  {
    id: 'pull-secrets',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The namespace has pull secrets and no service account, so no pod uses them. Add `default` to `serviceAccounts`.',
  },
]);
