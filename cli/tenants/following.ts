import { Tenant } from '../../operator/cluster/kinds.ts';
import type { Client } from '../../runtime/client/client.ts';
import { ApiError } from '../../runtime/errors/api-error.ts';
import type { ReflectorEvent } from '../../runtime/watch/reflector-event.ts';
import { reflect } from '../../runtime/watch/reflect.ts';
import type { LiveTenant } from './standing.ts';

/** Tenants by their names, as they are at the moment. */
export type Tenants = ReadonlyMap<string, LiveTenant>;

/** Who is told what becomes of the Tenants. */
export interface TenantObserver {
  /** All of them, once they are known, and again where a list had to be read anew. */
  listed(tenants: Tenants): void;
  /** One came or changed, after that. */
  changed(tenant: LiveTenant): void;
  /** One is gone. */
  gone(name: string): void;
  /** The watch broke off; it goes on by itself. */
  interrupted(error: unknown): void;
}

/** Which Tenants are followed, and until when. */
export interface FollowOptions {
  /** @default - all of them */
  readonly name?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Tells what becomes of the Tenants until the signal aborts: then it gives them as they were told last. Rejects
 * where the cluster refuses, as trying again does not change that.
 */
export async function followTenants(
  client: Client,
  follower: TenantObserver,
  { name, signal }: FollowOptions,
): Promise<Tenants> {
  const held = new Map<string, LiveTenant>();
  const refused = new AbortController();
  let refusal: unknown;
  // What changed while a list is read anew is told as one.
  let isListing = true;
  const observe = (happening: ReflectorEvent): void => {
    if (happening.type !== 'failed') return;
    const { error } = happening;
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
      held: (key) => held.get(key)?.metadata,
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
