import { createHash } from 'node:crypto';
import type { Platform } from '../../constructs/tenant/declaration.ts';
import type { HookReceipt } from '../../crds/tenantry/tenant-status.ts';
import type { Hook, HookEvent } from '../../crds/tenantry/types.ts';
import { conditionOf } from '../../runtime/conditions/conditions.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';

type LiveTenant = Live<typeof Tenant>;

/** Something that a hook is to be told of, and what is known of that. */
export interface PendingDelivery {
  readonly hook: Hook;
  readonly event: HookEvent;
  /** Undefined where it was not tried yet. */
  readonly receipt: HookReceipt | undefined;
}

/** By which a receiver knows attempts at one thing: no other tenant, hook or event has it. */
export function keyOf(uid: string, hook: string, event: HookEvent): string {
  return createHash('sha256').update(`${uid}\n${hook}\n${event}`).digest('hex').slice(0, 32);
}

/** Which declaration of a hook it is: what was refused for good is tried again with another one. */
export function digestOf(hook: Hook): string {
  return createHash('sha256').update(JSON.stringify(hook)).digest('hex').slice(0, 10);
}

/**
 * What hooks are to be told of a tenant: that it is there, once it is ready for the first time; where it is being
 * deleted, that it goes. Who is told of both hears that it goes only where it may have heard that it was there.
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

/** Whether a hook is to be told when the tenant goes, so that it must not go before. */
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

/** Whether all that it declares for this cluster is there, as its status says of what it is now. */
export function isOnboarded({ metadata, spec, status }: LiveTenant): boolean {
  if (spec?.cordoned || status?.observedGeneration !== metadata.generation) return false;
  const ready = conditionOf(status?.conditions, 'Ready');
  return ready?.status === 'True' && ready.reason === 'AsDeclared';
}
