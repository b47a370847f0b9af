import { isDeepStrictEqual } from 'node:util';
import { findHooks } from '../../constructs/operator/hooks.ts';
import type { Platform } from '../../constructs/tenant/declaration.ts';
import type { Random } from '../../runtime/clock/clock.ts';
import { controller } from '../../runtime/controller/controller.ts';
import type { Controller } from '../../runtime/controller/declaration.ts';
import type { Change } from '../../runtime/controller/predicate.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { Tenant, TenantClass } from '../cluster/kinds.ts';
import type { AttemptProps } from './attempt.ts';
import { hookAccess } from './hook-access.ts';
import { HookMetrics } from './hook-metrics.ts';
import { isOnboarded, hasPendingOffboarding } from './pending-delivery.ts';
import { HookReconciler } from './hook-reconciler.ts';

/** Keeps a Tenant until hooks have heard that it goes. */
export const HOOK_FINALIZER = 'tenantry.dev/hooks';

/** What the controller of hooks has to know. */
export interface HookControllerProps extends AttemptProps {
  readonly platform: Platform;
  /** The cluster that it runs on, as the platform names it. */
  readonly cluster: string;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

/**
 * Tells the hooks of the platform when tenants come and go, beside the tenant controller, so that a hook that is
 * slow keeps nothing else waiting. What was told stands in the status of the Tenant (`status.hooks`): before an
 * attempt, that it begins, and after it, how it ended.
 */
export function hookController(props: HookControllerProps): Controller {
  const { platform, cluster, random = Math.random } = props;
  const hooks = findHooks(platform, cluster);
  const metrics = new HookMetrics(platform, hooks);
  const telling = new HookReconciler({ ...props, hooks, metrics, random });
  return controller({
    name: 'hooks',
    for: Tenant,
    // What fails is told by an alert as long as it is tried again within minutes.
    longestRetry: 60_000,
    predicate: isNews,
    concurrency: 4,
    // They are asked when something is told, and what they say is no reason to tell anything.
    watches: [{ kind: TenantClass, predicate: () => false, map: () => [] }],
    access: hookAccess,
    finalizer: {
      name: HOOK_FINALIZER,
      isNeeded: ({ object }) => hasPendingOffboarding(object, platform, hooks),
      cleanUp: (context) => telling.finalize(context),
    },
    reconcile: (context) => telling.reconcile(context),
    metrics: metrics.make,
  });
}

/** What is decided by: whether it is ready, its class, and what hooks were told. */
function isNews({ object, old }: Change<typeof Tenant>): boolean {
  return (
    old === undefined || !isDeepStrictEqual(extractRelevantState(object), extractRelevantState(old))
  );
}

function extractRelevantState(tenant: Live<typeof Tenant>): readonly unknown[] {
  return [isOnboarded(tenant), tenant.spec?.className, tenant.status?.hooks];
}
