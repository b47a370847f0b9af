import { allow } from '../../runtime/access/grant.ts';
import type { ContextOf } from '../../runtime/controller/declaration.ts';
import { eventAccess } from '../../runtime/events/events.ts';
import { Tenant, type TenantClass } from '../cluster/kinds.ts';

/** What the controller of hooks may do, besides watching Tenants and classes and having its finalizer. */
export const hookAccess = [allow(Tenant, 'patch').subresource('status'), ...eventAccess] as const;

/** With what it looks at a tenant. */
export type DeliveryContext = ContextOf<
  typeof Tenant,
  [],
  readonly [typeof TenantClass],
  typeof hookAccess
>;
