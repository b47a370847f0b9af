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

/** The finalizer that keeps a Tenant until hooks have received its offboarding. */
export const HOOK_FINALIZER = 'tenantry.dev/hooks';

/** The dependencies of the hook controller. */
export interface HookControllerProps extends AttemptProps {
  readonly platform: Platform;
  /** The cluster in which it runs, as the platform names it. */
  readonly cluster: string;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

/**
 * Calls the hooks of the platform when tenants are onboarded and offboarded. It is separate from the tenant controller,
 * so that a slow hook delays nothing else. Receipts in the Tenant's status (`status.hooks`) record the start of an
 * attempt before it, and its result afterwards.
 */
export function hookController(props: HookControllerProps): Controller {
  const { platform, cluster, random = Math.random } = props;
  const hooks = findHooks(platform, cluster);
  const metrics = new HookMetrics(platform, hooks);
  const telling = new HookReconciler({ ...props, hooks, metrics, random });
  return controller({
    name: 'hooks',
    for: Tenant,
    // Retries within minutes keep the alert on failing hooks firing.
    longestRetry: 60_000,
    predicate: isNews,
    concurrency: 4,
    // Classes are read when a message is sent; a change of one causes no delivery.
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

/** Whether a change can affect deliveries: readiness, class or receipts. */
function isNews({ object, old }: Change<typeof Tenant>): boolean {
  return (
    old === undefined || !isDeepStrictEqual(extractRelevantState(object), extractRelevantState(old))
  );
}

function extractRelevantState(tenant: Live<typeof Tenant>): readonly unknown[] {
  return [isOnboarded(tenant), tenant.spec?.className, tenant.status?.hooks];
}
