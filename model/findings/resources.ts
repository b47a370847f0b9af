import { defineRules } from './rule.ts';

/** The rules for the objects in `resources` and their presets. */
export const resourceRules = defineRules([
  {
    id: 'steering-text',
    severity: 'error',
    place: 'schema',
    dependsOnClass: false,
    description: 'no text or key contains `+argocd:`, which Argo CD obeys anywhere in a file',
  },
  {
    id: 'placeholder',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a placeholder such as `{namespace}` has a value in its place; within a longer text, the value is a string, a number or a boolean',
  },
  {
    id: 'placeholder-misspelt',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a word in braces, in an annotation or a contact, is not similar to the name of a placeholder',
  },
  {
    id: 'parameters',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the parameters of a preset for resources are a structural schema that an API server accepts, and the values match it',
  },
  {
    id: 'class-preset',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'a preset for resources that a tenant uses is valid; its errors are reported where the class is declared, not in the files of tenants',
  },
  {
    id: 'unused-parameter',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description: 'a manifest of the preset uses each of its parameters',
  },
  {
    id: 'leftover',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'a manifest contains no fields that only the API server, Helm or kubectl writes; such fields are dropped if possible',
  },
  {
    id: 'literal-placeholder',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'a manifest outside of presets contains no text such as `{namespace}`, because placeholders work in presets only',
  },
  {
    id: 'resource-object',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'every reader sees the manifest as one object: with apiVersion, kind and metadata.name, of a kind that an API server has, without `items` or `sops` at its top',
  },
  {
    id: 'resource-scope',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'the kind is namespaced, and its scope is known',
  },
  {
    id: 'competing-writer',
    severity: 'warning',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'no other writer changes a field of `resources`: `replicas` beside an autoscaler (not rendered), images that Keel or OpenShift changes, one Secret that two objects write',
  },
  {
    id: 'resource-kind',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the Tenant has no field for the kind, the kind can be applied, and it is an ordinary kind or one that the class allows',
  },
  {
    id: 'self-service',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the [admission policies](../guard.md#what-tenants-users-may-create) let users create the object. They reject external addresses of a Service, Secrets for tokens, and some pods: those that choose their node, tolerate a taint that the class does not allow, or take too long to end',
  },
  {
    id: 'resource-schema',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'the API server can read the object. Its kind has the fields, its apiVersion is served, and values have their types. In lists that server-side apply merges, each item has its key, and keys are unique. An object of a kind in `crdFiles` matches its definition. With `resourceSchemas: Warn`, this is a warning for what only a newer cluster or the API server can decide, and for a kind whose definition cannot be used',
  },
  {
    id: 'resource-secret',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'a Secret contains no data',
  },
  {
    id: 'resource-namespace',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: "the namespace is the tenant's, and that of the entry that contains the object",
  },
  {
    id: 'resource-name',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'the name is a DNS subdomain',
  },
  {
    id: 'resource-metadata',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: 'metadata has name, namespace, labels and annotations only',
  },
  {
    id: 'resource-size',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description:
      'the object has at most 65536 bytes of UTF-8, or the number in `ceilings.resourceBytes` of the class',
  },
  {
    id: 'object-size',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: true,
    description:
      'the Tenant, its class, and each rendered object have at most 393216 bytes (384 KiB) as JSON, so that the cluster can store them',
  },
  {
    id: 'removed-api',
    severity: 'error',
    place: 'fleet',
    dependsOnClass: false,
    description: "the cluster's Kubernetes minor, by default 1.36, still serves the API version",
  },
]);
