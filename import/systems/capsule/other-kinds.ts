import type { SystemSource } from '../tenancy-system.ts';
import { findOwningTenant, type CapsuleTenant } from './members.ts';

const CUSTOM_QUOTA =
  'Tenantry has no quota on fields of objects: `count/<resource>.<group>` in `quota.hard` bounds how many there are, and an admission policy of the platform can bound the rest';

const PROXY =
  'capsule-proxy is not a part of Tenantry: a ClusterRole of the platform can let these subjects list the objects';

/** Kinds of which Tenantry has nothing, and what to do instead. */
const left: Readonly<Record<string, string>> = {
  CustomQuota: CUSTOM_QUOTA,
  GlobalCustomQuota: CUSTOM_QUOTA,
  ProxySetting: PROXY,
  GlobalProxySettings: PROXY,
};

/** Records the objects of which nothing is made. */
export function recordOtherKinds(source: SystemSource, tenants: readonly CapsuleTenant[]): void {
  for (const [kind, reason] of Object.entries(left)) {
    for (const one of source.objectsOf(kind)) one.leave(['spec'], reason);
  }
  for (const one of source.objectsOf('QuantityLedger')) {
    one.take(['spec'], 'nothing: Capsule counts with it');
  }
  const known = new Set(tenants.map(({ name }) => name));
  for (const one of source.objectsOf('RuleStatus')) {
    const owner = findOwningTenant(one.found.object);
    if (owner !== undefined && known.has(owner)) {
      one.take(['spec'], `nothing: Capsule makes it of the rules of Tenant ${owner}`);
    } else one.leave(['spec'], 'no Tenant of the source explains it');
  }
}
