import { boolean, enumOf, integer, object, required, type Static } from '@tenantry/crd/schema';
import { list, selector, text, texts } from '../system-schemas.ts';
import { anyObject } from '../system-schemas.ts';
import {
  allowedClasses,
  allowedNames,
  binding,
  denied,
  metadata,
  proxySettings,
  quota,
  roleNames,
  ruleBody,
  user,
  verbatim,
} from './shared-schemas.ts';

const owner = object('An owner.', {
  ...user,
  clusterRoles: roleNames,
  proxySettings,
  labels: texts('Labels of its RoleBindings.'),
  annotations: texts('Annotations of its RoleBindings.'),
});

const rule = object('What applies to some namespaces.', {
  ...ruleBody,
  namespaceSelector: selector,
  permissions: object('Rights.', {
    bindings: list('Bindings.', binding),
    promotions: list(
      'Rights of promoted ServiceAccounts.',
      object('Rights.', { clusterRoles: roleNames, selector }),
    ),
  }),
});

const namespaceOptions = object('Of its namespaces.', {
  quota: integer('How many it may have.'),
  additionalMetadata: metadata,
  additionalMetadataList: list(
    'Metadata of some namespaces.',
    object('Metadata.', {
      namespaceSelector: selector,
      labels: texts('Labels.'),
      annotations: texts('Annotations.'),
    }),
  ),
  requiredMetadata: metadata,
  forbiddenLabels: denied,
  forbiddenAnnotations: denied,
  managedMetadataOnly: boolean('Whether all other metadata is removed.'),
});

const serviceOptions = object('Of Services.', {
  additionalMetadata: metadata,
  allowedServices: object('Types.', {
    externalName: boolean('Whether this type is allowed.'),
    loadBalancer: boolean('Whether this type is allowed.'),
    nodePort: boolean('Whether this type is allowed.'),
  }),
  externalIPs: object('Addresses.', { allowed: list('Ranges.', text('A range.')) }),
  forbiddenLabels: denied,
  forbiddenAnnotations: denied,
});

const tenantSpec = object('What the tenant has.', {
  data: anyObject,
  permissions: object('Owners by label.', {
    matchOwners: list('Labels of TenantOwners.', selector),
    allowOwnerPromotion: boolean('Whether labeled ServiceAccounts become owners.'),
  }),
  rules: list('Rules.', rule),
  owners: list('Its owners.', owner),
  namespaceOptions,
  storageClasses: allowedClasses,
  ingressOptions: object('Of Ingresses.', {
    allowedClasses,
    allowedHostnames: object('Hosts.', allowedNames),
    hostnameCollisionScope: text('Where hosts must be unique.'),
    allowWildcardHostnames: boolean('Whether a host may begin with a star.'),
  }),
  nodeSelector: texts('Labels of its nodes.'),
  additionalRoleBindings: list('Bindings.', binding),
  runtimeClasses: allowedClasses,
  priorityClasses: allowedClasses,
  deviceClasses: allowedClasses,
  gatewayOptions: object('Of Gateways.', { allowedClasses }),
  cordoned: boolean('Whether its owners may change nothing.'),
  preventDeletion: boolean('Whether it cannot be deleted.'),
  forceTenantPrefix: boolean('Whether names of namespaces begin with its name.'),
  resourceQuotas: object('Quotas.', {
    scope: enumOf('Whether they are shared.', ['Tenant', 'Namespace']),
    items: list('Quotas.', quota),
  }),
  serviceOptions,
  podOptions: object('Of pods.', { additionalMetadata: metadata }),
  containerRegistries: object('Registries.', allowedNames),
  imagePullPolicies: list('Pull policies.', text('A policy.')),
  networkPolicies: object('Policies.', { items: list('Policies.', verbatim) }),
  limitRanges: object('Bounds.', { items: list('Bounds.', verbatim) }),
});

/** A Tenant of `capsule.clastix.io/v1beta2`. `v1beta1` has no further fields. */
export const tenantSchema = object('A Tenant.', {
  spec: tenantSpec,
  status: object(
    'What Capsule saw.',
    {
      namespaces: list('Its namespaces.', text('A name.')),
      spaces: list(
        'Its namespaces.',
        object(
          'A namespace.',
          { name: required(text('Its name.')) },
          { preserveUnknownFields: true },
        ),
      ),
    },
    { preserveUnknownFields: true },
  ),
});

export type TenantContent = Static<typeof tenantSchema>;
export type TenantSpec = NonNullable<TenantContent['spec']>;
export type Rule = NonNullable<TenantSpec['rules']>[number];
