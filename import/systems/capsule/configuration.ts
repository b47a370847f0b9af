import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { ConfigurationContent } from './other-schemas.ts';
import type { OwnerFields } from './subjects.ts';

/** ClusterRoles as Capsule is configured. */
export interface CapsuleRoles {
  /** Those that Capsule makes itself, and which go with it. */
  readonly own: ReadonlySet<string>;
  /** Those of an owner that names none. */
  readonly ownerDefaults: readonly string[];
  /** Those of ServiceAccounts with the label of owners; absent if the source has no configuration. */
  readonly promotion: readonly string[] | undefined;
}

/** What the CapsuleConfiguration states about rights. */
export interface Configuration {
  readonly roles: CapsuleRoles;
  readonly administrators: readonly OwnerFields[];
  readonly one?: SystemObject<ConfigurationContent>;
}

/** Source: api/v1beta2/capsuleconfiguration_types.go, pkg/api/rbac/owner.go */
const DELETER = 'capsule-namespace-deleter';
const PROVISIONER = 'capsule-namespace-provisioner';

/** Reads the configuration, and records what becomes of its fields. */
export function readConfiguration(source: SystemSource): Configuration {
  const all = source.objectsOf<ConfigurationContent>('CapsuleConfiguration');
  const one = all.at(-1);
  for (const other of all.slice(0, -1)) {
    other.leave(['spec'], 'the source has several configurations, and Capsule reads one of them');
  }
  const {
    rbac = {},
    allowServiceAccountPromotion = false,
    administrators = [],
  } = one?.content.spec ?? {};
  const { deleter = DELETER, provisioner = PROVISIONER } = rbac;
  const { administrationClusterRoles = [deleter], promotionClusterRoles } = rbac;
  const promotion = allowServiceAccountPromotion
    ? (promotionClusterRoles ?? [provisioner, deleter])
    : [];
  const roles: CapsuleRoles = {
    own: new Set([deleter, provisioner, DELETER, PROVISIONER]),
    ownerDefaults: ['admin', DELETER],
    promotion: one ? promotion : undefined,
  };
  if (one) recordConfiguration(one);
  return {
    roles,
    administrators: administrators.map(({ kind, name }) => ({
      kind,
      name,
      clusterRoles: administrationClusterRoles.filter((role) => !roles.own.has(role)),
    })),
    ...(one && { one }),
  };
}

/** Fields that only say how Capsule itself runs. */
const ofCapsule = [
  'users',
  'userNames',
  'userGroups',
  'ignoreUserWithGroups',
  'allowServiceAccountPromotion',
  'overrides',
  'enableTLSReconciler',
  'admission',
  'rbac',
  'cacheInvalidation',
  'impersonation',
  'events',
];

function recordConfiguration(one: SystemObject<ConfigurationContent>): void {
  for (const field of ofCapsule) one.take(['spec', field], 'nothing: it goes with Capsule');
  const { forceTenantPrefix, administrators = [] } = one.content.spec ?? {};
  if (forceTenantPrefix) {
    one.leave(
      ['spec', 'forceTenantPrefix'],
      '`namespacePrefix` of a Tenant begins the names of its namespaces, and nothing requires it',
    );
  } else one.take(['spec', 'forceTenantPrefix'], 'what is so anyway');
  for (const i of administrators.keys()) {
    one.leave(
      ['spec', 'administrators', i],
      'who may change every tenant changes them in Git; further ClusterRoles of administrators are in `access`',
    );
  }
  one.leave(
    ['spec', 'protectedNamespaceRegex'],
    'name these namespaces in `protectedNamespaces` of the platform',
  );
  one.leave(
    ['spec', 'nodeMetadata'],
    'tenants have no right to nodes with Tenantry: a policy of the platform can bound what others set on them',
  );
}
