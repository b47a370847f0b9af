import type { Fleet } from '../../constructs/tenant/fleet.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';
import { claimedNamespacesOf, declarationOf } from '../fleet/claimants.ts';
import type { TenantFacts } from './sender.ts';

/**
 * Returns the facts about a tenant that hooks receive. If its class is gone, they list all namespaces that it claims.
 */
export function factsOf(tenant: Live<typeof Tenant>, fleet: Fleet, cluster: string): TenantFacts {
  const { metadata, spec } = tenant;
  const { namespaces } = fleet.desired(declarationOf(tenant));
  const here = namespaces.filter((one) => one.cluster === cluster).map(({ name }) => name);
  return {
    name: metadata.name,
    uid: metadata.uid,
    className: spec?.className ?? fleet.platform.defaultClass,
    cluster,
    namespaces: namespaces.length > 0 ? here : claimedNamespacesOf(tenant),
    contact: spec?.contact ?? {},
    labels: metadata.labels ?? {},
  };
}
