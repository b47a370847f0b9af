import { allow } from '../../runtime/access/grant.ts';
import type { ContextOf } from '../../runtime/controller/declaration.ts';
import { eventAccess } from '../../runtime/events/events.ts';
import { Tenant, type TenantClass } from '../cluster/kinds.ts';

/** The access of the hook controller, besides watching Tenants and classes and having its finalizer. */
export const hookAccess = [allow(Tenant, 'patch').subresource('status'), ...eventAccess] as const;

/** The context in which messages about a tenant are delivered. */
export type DeliveryContext = ContextOf<
  typeof Tenant,
  [],
  readonly [typeof TenantClass],
  typeof hookAccess
>;
