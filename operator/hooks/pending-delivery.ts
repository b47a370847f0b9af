import { createHash } from 'node:crypto';
import type { Platform } from '../../model/declaration.ts';
import type { HookReceipt } from '../../crds/tenant-status.ts';
import type { Hook, HookEvent } from '../../crds/types.ts';
import { conditionOf } from '@tenantry/runtime/conditions/conditions';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { Tenant } from '../cluster/kinds.ts';

type LiveTenant = Live<typeof Tenant>;

/** A pending message to a hook, and its receipt so far. */
export interface PendingDelivery {
  readonly hook: Hook;
  readonly event: HookEvent;
  /** Undefined before the first attempt. */
  readonly receipt: HookReceipt | undefined;
}

/** Returns the key by which a receiver recognizes repeated attempts. It is unique to the tenant, hook and event. */
export function keyOf(uid: string, hook: string, event: HookEvent): string {
  return createHash('sha256').update(`${uid}\n${hook}\n${event}`).digest('hex').slice(0, 32);
}

/** Returns the digest of a hook's declaration. A changed declaration retries what was finally refused. */
export function digestOf(hook: Hook): string {
  return createHash('sha256').update(JSON.stringify(hook)).digest('hex').slice(0, 10);
}

/**
 * Returns the pending messages about a tenant: its onboarding, once it is ready for the first time, or its offboarding,
 * while it is being deleted. A hook that receives both gets the offboarding only if it may have received the
 * onboarding.
 */
export function findPendingDeliveries(
  tenant: LiveTenant,
  platform: Platform,
  hooks: readonly Hook[],
): PendingDelivery[] {
  const isGoing = tenant.metadata.deletionTimestamp !== undefined;
  return hooks.flatMap((hook): PendingDelivery[] => {
    if (!isFor(hook, tenant, platform)) return [];
    const event = isGoing ? 'Offboarding' : 'Onboarded';
    if (!hook.events.includes(event)) return [];
    const receipt = receiptOf(tenant, hook, event);
    const isCalled = isGoing
      ? wasOnboardingSent(hook, tenant)
      : receipt !== undefined || isOnboarded(tenant);
    return isCalled ? [{ hook, event, receipt }] : [];
  });
}

/** Whether a hook must receive the tenant's offboarding, so that the Tenant must not be deleted before. */
export function hasPendingOffboarding(
  tenant: LiveTenant,
  platform: Platform,
  hooks: readonly Hook[],
): boolean {
  return hooks.some(
    (hook) =>
      hook.events.includes('Offboarding') &&
      isFor(hook, tenant, platform) &&
      (wasOnboardingSent(hook, tenant) || isOnboarded(tenant)),
  );
}

function isFor(
  { classes, since }: Hook,
  { metadata, spec }: LiveTenant,
  platform: Platform,
): boolean {
  const klass = spec?.className ?? platform.defaultClass;
  if (classes && !classes.includes(klass)) return false;
  const made = Date.parse(metadata.creationTimestamp);
  return since === undefined || made >= Date.parse(since);
}

function wasOnboardingSent(hook: Hook, tenant: LiveTenant): boolean {
  const hasOnboarding = hook.events.includes('Onboarded');
  return !hasOnboarding || receiptOf(tenant, hook, 'Onboarded') !== undefined;
}

function receiptOf({ status }: LiveTenant, hook: Hook, event: HookEvent): HookReceipt | undefined {
  return status?.hooks?.find((one) => one.hook === hook.name && one.event === event);
}

/** Whether all its objects declared for this cluster exist, according to a status of its current generation. */
export function isOnboarded({ metadata, spec, status }: LiveTenant): boolean {
  if (spec?.cordoned || status?.observedGeneration !== metadata.generation) return false;
  const ready = conditionOf(status?.conditions, 'Ready');
  return ready?.status === 'True' && ready.reason === 'AsDeclared';
}
