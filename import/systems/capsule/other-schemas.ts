import { boolean, enumOf, object, required, type Static } from '@tenantry/crd/schema';
import { map } from '../../../crds/schema-builders.ts';
import { anyObject, list, quantity, selector, text, texts } from '../system-schemas.ts';
import { denied, metadata, quota, reference, roleNames, ruleBody, user } from './shared-schemas.ts';
import { proxySettings } from './shared-schemas.ts';

const amounts = map('Amounts.', quantity, { maxProperties: 1000 });

export const ownerSchema = object('A TenantOwner.', {
  spec: required(
    object('Who owns tenants.', {
      ...user,
      clusterRoles: roleNames,
      aggregate: boolean('Whether it is a user of Capsule.'),
    }),
  ),
});

export type OwnerContent = Static<typeof ownerSchema>;

const resource = object('Objects, and where they are.', {
  namespaceSelector: selector,
  namespacedItems: list('Objects of the cluster.', object('Objects.', reference)),
  rawItems: list('Objects.', anyObject),
  additionalMetadata: metadata,
  generators: list(
    'Templates.',
    object('A template.', { template: text('Its text.'), missingKey: text('What is absent.') }),
  ),
  context: object('Values for templates.', {
    resources: list(
      'Objects.',
      object('Objects.', { ...reference, index: text('Their name in templates.') }),
    ),
  }),
});

const replication = {
  settings: object('How they are applied.', {
    adopt: boolean('Whether objects of others are changed.'),
    force: boolean('Whether fields of others are changed.'),
  }),
  dependsOn: list('What comes first.', object('An object.', { name: text('Its name.') })),
  resyncPeriod: text('How often.'),
  pruningOnDelete: boolean('Whether the copies go with it.'),
  cordoned: boolean('Whether it is paused.'),
  resources: required(list('What is replicated.', resource)),
};

export const tenantResourceSchema = object('A TenantResource.', {
  spec: required(
    object('What is replicated.', {
      ...replication,
      serviceAccount: object('Who applies it.', { name: text('Its name.') }),
    }),
  ),
});

export const globalTenantResourceSchema = object('A GlobalTenantResource.', {
  spec: required(
    object('What is replicated.', {
      ...replication,
      scope: enumOf('For what it is repeated.', ['Namespace', 'Tenant', 'None']),
      tenantSelector: selector,
      serviceAccount: object('Who applies it.', {
        name: text('Its name.'),
        namespace: text('Its namespace.'),
      }),
    }),
  ),
});

export type ReplicationContent = Static<typeof globalTenantResourceSchema>;
export type ReplicatedResource = ReplicationContent['spec']['resources'][number];

export const poolSchema = object('A ResourcePool.', {
  spec: required(
    object('What can be claimed.', {
      selectors: list('Namespaces.', selector),
      quota: required(quota),
      defaults: amounts,
      config: object('How it is claimed.', {
        defaultsZero: boolean('Whether nothing can be used without a claim.'),
        orderedQueue: boolean('Whether claims wait for older ones.'),
        deleteBoundResources: boolean('Whether claims go with it.'),
      }),
    }),
  ),
  status: object(
    'What Capsule saw.',
    {
      claims: map(
        'Claims by namespace.',
        list(
          'Claims.',
          object('A claim.', { name: text('Its name.') }, { preserveUnknownFields: true }),
        ),
        { maxProperties: 10_000 },
      ),
    },
    { preserveUnknownFields: true },
  ),
});

export type PoolContent = Static<typeof poolSchema>;

export const claimSchema = object('A ResourcePoolClaim.', {
  spec: required(
    object('What is claimed.', {
      pool: text('The name of the pool.'),
      claim: required(amounts),
    }),
  ),
});

export type ClaimContent = Static<typeof claimSchema>;

export const globalQuotaSchema = object('A GlobalResourceQuota.', {
  spec: required(
    object('A shared quota.', {
      namespaceSelectors: list('Namespaces.', selector),
      quota: required(quota),
    }),
  ),
});

export type GlobalQuotaContent = Static<typeof globalQuotaSchema>;

const customQuota = {
  limit: quantity,
  options: object('Of metrics.', {
    emitMetricPerClaimUsage: boolean('Whether they are detailed.'),
  }),
  scopeSelectors: list('Objects.', selector),
  sources: list(
    'What is counted.',
    object('Objects of a kind.', {
      apiVersion: text('Their version.'),
      kind: text('Their kind.'),
      op: text('What is done.'),
      path: text('A field.'),
      cel: text('An expression.'),
      selectors: list(
        'Which of them.',
        object('A selector.', {
          ...(selector.properties as unknown as Record<string, typeof selector>),
          celExpressions: list('Expressions.', text('An expression.')),
          fieldSelectors: list('Fields.', text('A field.')),
        }),
      ),
    }),
  ),
};

export const customQuotaSchema = object('A CustomQuota.', {
  spec: object('A quota.', customQuota),
});

export const globalCustomQuotaSchema = object('A GlobalCustomQuota.', {
  spec: object('A quota.', { ...customQuota, namespaceSelectors: list('Namespaces.', selector) }),
});

export const ruleStatusSchema = object('A RuleStatus.', {
  spec: list('Rules.', object('A rule.', ruleBody)),
});

export const ledgerSchema = object('A QuantityLedger.', {
  spec: object('What it counts for.', {
    targetRef: object('An object.', {
      apiGroup: text('Its group.'),
      kind: text('Its kind.'),
      name: text('Its name.'),
      namespace: text('Its namespace.'),
      uid: text('Its UID.'),
    }),
  }),
});

const clusterResources = list(
  'Cluster-scoped objects.',
  object('Objects.', {
    apiGroups: list('Groups.', text('A group.')),
    resources: list('Resources.', text('A resource.')),
    operations: list('Operations.', text('An operation.')),
    selector,
  }),
);

export const proxySettingSchema = object('A ProxySetting.', {
  spec: object('What the proxy serves.', {
    subjects: list('To whom.', object('A subject.', { ...user, clusterResources, proxySettings })),
  }),
});

export const globalProxySettingsSchema = object('GlobalProxySettings.', {
  spec: object('What the proxy serves.', {
    rules: list(
      'Rules.',
      object('A rule.', {
        subjects: list('To whom.', object('A subject.', user)),
        clusterResources,
      }),
    ),
  }),
});

const users = list('Users.', object('A user.', user));

/** Its admission webhooks are validated by Capsule alone. */
export const configurationSchema = object('A CapsuleConfiguration.', {
  spec: object('How Capsule works.', {
    users,
    userNames: list('Users.', text('A name.')),
    userGroups: list('Groups.', text('A name.')),
    ignoreUserWithGroups: list('Groups.', text('A name.')),
    administrators: users,
    allowServiceAccountPromotion: boolean('Whether ServiceAccounts can become owners.'),
    forceTenantPrefix: boolean('Whether names of namespaces begin with that of the tenant.'),
    protectedNamespaceRegex: text('Names that no namespace may have.'),
    nodeMetadata: object('Of nodes.', { forbiddenLabels: denied, forbiddenAnnotations: denied }),
    rbac: object('ClusterRoles.', {
      administrationClusterRoles: roleNames,
      promotionClusterRoles: roleNames,
      deleter: text('A ClusterRole.'),
      provisioner: text('A ClusterRole.'),
    }),
    overrides: texts('Names of its own objects.'),
    enableTLSReconciler: boolean('Whether it makes certificates.'),
    admission: anyObject,
    cacheInvalidation: text('How often it forgets.'),
    impersonation: anyObject,
    events: anyObject,
  }),
});

export type ConfigurationContent = Static<typeof configurationSchema>;
