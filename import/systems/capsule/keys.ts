/**
 * Labels and annotations of Capsule.
 * Source: github.com/projectcapsule/capsule, pkg/api/meta/labels.go and annotations.go
 */

export const CAPSULE = 'Capsule';
export const CAPSULE_GROUP = 'capsule.clastix.io';

/** The label of a Namespace that names its tenant. */
export const TENANT_LABEL = 'capsule.clastix.io/tenant';

/** The label of objects and TenantOwners that names their tenant. */
export const OBJECT_TENANT_LABEL = 'projectcapsule.dev/tenant';

/** The label of objects that Capsule's controllers made. Its value is then `controller`. */
export const MANAGED_BY = 'projectcapsule.dev/managed-by';

/** The label of objects that a replication made. Older versions have another one. */
export const CREATED_BY = 'projectcapsule.dev/created-by';
export const OLD_CREATED_BY = 'capsule.clastix.io/resources';

/** The label of ServiceAccounts that are owners of the tenant. */
export const OWNER_PROMOTION = 'owner.projectcapsule.dev/promote';

/** The label of ServiceAccounts to which rules give rights. */
export const PROMOTION = 'projectcapsule.dev/promote';

/** The annotation of a Namespace that the admission plugin PodNodeSelector reads. */
export const NODE_SELECTOR = 'scheduler.alpha.kubernetes.io/node-selector';

/** The prefix of annotations of a Tenant that bound how many custom resources it has. */
export const CUSTOM_RESOURCE_QUOTA = 'quota.resources.capsule.clastix.io/';

/** Labels that Capsule's webhook adds to every object in a tenant's namespaces, and those of promotions. */
export const objectLabels: readonly string[] = [
  'capsule.clastix.io/managed-by',
  OBJECT_TENANT_LABEL,
  OWNER_PROMOTION,
  PROMOTION,
];

/** Labels of Namespaces that only Capsule reads. */
export const namespaceLabels: readonly string[] = [
  TENANT_LABEL,
  OBJECT_TENANT_LABEL,
  'capsule.clastix.io/managed-by',
  'projectcapsule.dev/cordoned',
  'projectcapsule.dev/custom-resources',
  'projectcapsule.dev/pool',
];

/** Annotations of Namespaces that only Capsule reads, or writes for people. */
export const namespaceAnnotations: readonly string[] = [
  'capsule.clastix.io/ingress-classes',
  'capsule.clastix.io/ingress-classes-regexp',
  'capsule.clastix.io/storage-classes',
  'capsule.clastix.io/storage-classes-regexp',
  'capsule.clastix.io/allowed-registries',
  'capsule.clastix.io/allowed-registries-regexp',
  'capsule.clastix.io/forbidden-namespace-labels',
  'capsule.clastix.io/forbidden-namespace-labels-regexp',
  'capsule.clastix.io/forbidden-namespace-annotations',
  'capsule.clastix.io/forbidden-namespace-annotations-regexp',
  'reconcile.projectcapsule.dev/requestedAt',
];
