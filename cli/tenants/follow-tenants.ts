import { Tenant } from '../../operator/cluster/kinds.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import type { ReflectorEvent } from '@tenantry/runtime/watch/options';
import { reflect } from '@tenantry/runtime/watch/reflect';
import type { LiveTenant } from './tenant-summary.ts';

/** The current Tenants by name. */
export type Tenants = ReadonlyMap<string, LiveTenant>;

/** Receives the changes of Tenants. */
export interface TenantObserver {
  /** Called with all Tenants once they are known, and again after each new list. */
  listed(tenants: Tenants): void;
  /** Called when a Tenant is created or changed after that. */
  changed(tenant: LiveTenant): void;
  /** Called when a Tenant is deleted. */
  gone(name: string): void;
  /** Called when the watch was interrupted. It resumes by itself. */
  interrupted(error: unknown): void;
}

/** Which Tenants are watched, and until when. */
interface FollowOptions {
  /** @default - all of them */
  readonly name?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reports the changes of Tenants until the signal aborts, then returns their last state. Rejects if
 * the cluster refuses access, since a retry would not change that.
 */
export async function followTenants(
  client: Client,
  follower: TenantObserver,
  { name, signal }: FollowOptions,
): Promise<Tenants> {
  const held = new Map<string, LiveTenant>();
  const refused = new AbortController();
  let refusal: unknown;
  // Changes during a new list are reported together.
  let isListing = true;
  const observe = (event: ReflectorEvent): void => {
    if (event.type !== 'failed') return;
    const { error } = event;
    if (isRefusal(error)) {
      refusal = error;
      refused.abort();
    } else follower.interrupted(error);
  };
  const selection = name === undefined ? {} : { fieldSelector: `metadata.name=${name}` };
  await reflect(
    client,
    { kind: Tenant, selection },
    {
      getMetadata: (key) => held.get(key)?.metadata,
      keys: () => held.keys(),
      put(key, tenant) {
        held.set(key, tenant);
        if (!isListing) follower.changed(tenant);
      },
      drop(key) {
        const tenant = held.get(key);
        held.delete(key);
        if (tenant && !isListing) follower.gone(tenant.metadata.name);
      },
      listing: () => void (isListing = true),
      listed() {
        isListing = false;
        follower.listed(held);
      },
      reached: () => undefined,
    },
    { signal: AbortSignal.any([signal, refused.signal]), observe },
  );
  if (refusal !== undefined) throw refusal;
  return held;
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiError && (error.isForbidden || error.isUnauthorized || error.isNotFound)
  );
}
