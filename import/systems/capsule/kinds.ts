import type { SystemKind } from '../tenancy-system.ts';
import { CAPSULE_GROUP } from './keys.ts';
import {
  claimSchema,
  configurationSchema,
  customQuotaSchema,
  globalCustomQuotaSchema,
  globalProxySettingsSchema,
  globalQuotaSchema,
  globalTenantResourceSchema,
  ledgerSchema,
  ownerSchema,
  poolSchema,
  proxySettingSchema,
  ruleStatusSchema,
  tenantResourceSchema,
} from './other-schemas.ts';
import { tenantSchema } from './tenant-schema.ts';

const schemas = {
  Tenant: tenantSchema,
  TenantOwner: ownerSchema,
  TenantResource: tenantResourceSchema,
  GlobalTenantResource: globalTenantResourceSchema,
  ResourcePool: poolSchema,
  ResourcePoolClaim: claimSchema,
  GlobalResourceQuota: globalQuotaSchema,
  CustomQuota: customQuotaSchema,
  GlobalCustomQuota: globalCustomQuotaSchema,
  RuleStatus: ruleStatusSchema,
  QuantityLedger: ledgerSchema,
  CapsuleConfiguration: configurationSchema,
  ProxySetting: proxySettingSchema,
  GlobalProxySettings: globalProxySettingsSchema,
};

/** The kinds of Capsule and capsule-proxy. Their schemas have every field of the definitions. */
export const capsuleKinds: readonly SystemKind[] = Object.entries(schemas).map(
  ([kind, schema]): SystemKind => ({ group: CAPSULE_GROUP, kind, schema, isComplete: true }),
);
