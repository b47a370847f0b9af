import { defineRules } from './rule.ts';

/** The rules for the objects in `resources` and their presets. */
export const resourceRules = defineRules([
  {
    id: 'steering-text',
    severity: 'error',
    place: 'schema',
    dependsOnClass: false,
    description:
      'A text or a key contains `+argocd:`, which Argo CD obeys anywhere in a file. Remove the text.',
  },
  {
    id: 'placeholder',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A placeholder such as `{namespace}` is unknown, or has no value in its place: use one that the message names, or set the value. Within a longer text the value must be a string, a number or a boolean.',
  },
  {
    id: 'placeholder-misspelt',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A word in braces in an annotation or a contact is similar to a placeholder, and stays as it is. Correct the name, or write `\\{name}` to keep it.',
  },
  {
    id: 'parameters',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The values of a preset do not match its parameters, or the parameters are not a structural schema that an API server accepts. Correct the field that the message names.',
  },
  {
    id: 'class-preset',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'A preset for resources that a tenant uses has an error. Correct the preset in the class, where its errors are reported.',
  },
  {
    id: 'unused-parameter',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'No manifest of the preset uses the parameter, so its value has no effect. Use it as `{name}`, or remove it.',
  },
  {
    id: 'leftover',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'A manifest contains a field that only the API server, Helm or kubectl writes. It is dropped if possible: remove it from the manifest.',
  },
  {
    id: 'literal-placeholder',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'A manifest outside of a preset contains text such as `{namespace}`, which stays as it is. Move the manifest into a preset of the class to fill it in.',
  },
  {
    id: 'resource-object',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'Not every reader sees the manifest as one object. Give it an apiVersion, a kind that an API server has, and a metadata.name, and remove `items` and `sops` from its top.',
  },
  {
    id: 'resource-scope',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The kind is cluster-scoped, or its scope is unknown. Use a namespaced kind, or add the kind to `kinds` or its definition to `crdFiles` of the platform.',
  },
  {
    id: 'competing-writer',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'Another writer changes a field of `resources`: an autoscaler `replicas` (which are not rendered), Keel or OpenShift an image, a second object the same Secret. Remove the field, or the other writer.',
  },
  {
    id: 'resource-kind',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The class does not allow the kind, it cannot be applied, or the Tenant has a field for it. Use that field, or add the kind to `allow.resources` of the class.',
  },
  {
    id: 'self-service',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The [admission policies](../guard.md#what-tenants-users-may-create) refuse the object: a Service with an address, a name or a type that the class does not allow, a Secret for a token, or a pod that chooses its node, tolerates a foreign taint or ends too slowly. Remove the field, or let the class allow it.',
  },
  {
    id: 'resource-schema',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The API server cannot read the object: a field, a type or an apiVersion is wrong, or an item of a merged list lacks its key or repeats one. Kinds in `crdFiles` must match their definitions. Correct the field. With `resourceSchemas: Warn` this is a warning. So it is where only a newer cluster or the API server can decide, or the definition cannot be used.',
  },
  {
    id: 'resource-secret',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'A Secret contains data, which Git would keep forever. Use an external secret.',
  },
  {
    id: 'resource-namespace',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      "The object names a namespace that is not the tenant's, or not that of the entry that contains it. Remove `metadata.namespace`, or correct it.",
  },
  {
    id: 'resource-name',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The name of the object is not a DNS subdomain. Use small letters, digits, `-` and `.`.',
  },
  {
    id: 'resource-metadata',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The metadata has a field besides name, namespace, labels and annotations. Remove it.',
  },
  {
    id: 'resource-size',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'The object has more than 65536 bytes of UTF-8, or than `ceilings.resourceBytes` of the class. Divide it, or raise this ceiling.',
  },
  {
    id: 'object-size',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'The Tenant, its class or a rendered object has more than 393216 bytes (384 KiB) as JSON, so the cluster may not store it. Shorten or divide it.',
  },
  {
    id: 'removed-api',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      "The cluster's Kubernetes minor, by default 1.36, no longer serves the API version. Use the version that the message names.",
  },
]);
