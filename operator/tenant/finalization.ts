import type { Fleet } from '../../model/fleet.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import type { Predicate } from '@tenantry/runtime/controller/predicate';
import { done, requeueAfter, type Result } from '@tenantry/runtime/controller/context';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { ObservedKind, Tenant, TenantClass } from '../cluster/kinds.ts';
import type { OtherKind } from '../cluster/other-kinds.ts';
import { TenantObjects } from '../cluster/tenant-objects.ts';
import { resolveIntent, type HealClient } from '../heal/policy.ts';
import {
  runFinalizerTasks,
  isFinalizerNeeded,
  type FinalizerTask,
  type FinalizeContext,
} from '../finalize/finalizer-task.ts';
import { writeStatus, type StatusTarget } from './status.ts';

/** Milliseconds that a deletion may take before a person has to act. */
const SOON = 60_000;
/** Milliseconds until a task is run again that sets no time itself. */
const AGAIN = 5_000;

/** The context of a Tenant's finalization, before and during its deletion. */
interface DeletionContext extends StatusTarget {
  readonly client: StatusTarget['client'] & HealClient;
  readonly cache: CacheView<ObservedKind | OtherKind | typeof Tenant | typeof TenantClass>;
  readonly signal: AbortSignal;
}

interface FinalizationProps {
  readonly tasks: readonly FinalizerTask[];
  readonly cluster: string;
  /** The strongest drift policy that is allowed. */
  readonly maxPolicy: DriftPolicy;
  fleetOf(context: Pick<DeletionContext, 'cache' | 'object' | 'clock'>): Fleet;
}

/** Returns how the Tenant controller finalizes Tenants. Only Tenants with finalizer tasks get the finalizer. */
export function createFinalization({ tasks, cluster, maxPolicy, fleetOf }: FinalizationProps) {
  const toFinalizeContext = (context: DeletionContext): FinalizeContext => {
    const fleet = fleetOf(context);
    const { object: tenant } = context;
    return { tenant, fleet, cluster, policy: resolveIntent(tenant, fleet, maxPolicy).policy };
  };
  return {
    isNeeded: (context: DeletionContext) => isFinalizerNeeded(tasks, toFinalizeContext(context)),
    cleanUp: async (context: DeletionContext): Promise<Result> => {
      const { client, clock, signal, event } = context;
      const objects = new TenantObjects(context.cache);
      const now = (): number => clock.now();
      const leaving = { ...toFinalizeContext(context), objects, client, signal, now };
      const { problems, retryAfter, notes = [] } = await runFinalizerTasks(tasks, leaving);
      if (problems.length > 0 || retryAfter !== undefined) {
        await writeStatus({ type: 'leaving', problems, finalizers: [], isLong: false }, context);
        return requeueAfter(retryAfter ?? AGAIN);
      }
      const note = notes.join('; ');
      if (note !== '') event({ type: 'Normal', reason: 'Left', action: 'Leave', note });
      return done;
    },
    waiting: async (context: DeletionContext): Promise<Result> => {
      const { finalizers = [], deletionTimestamp } = context.object.metadata;
      const left = Date.parse(deletionTimestamp ?? '') + SOON - context.clock.date().getTime();
      const isLong = !(left > 0);
      await writeStatus({ type: 'leaving', problems: [], finalizers, isLong }, context);
      return isLong ? done : requeueAfter(left);
    },
  };
}

/** Matches a change of the finalizers that keep a Tenant. */
export const finalizersChanged: Predicate = ({ object, old }) =>
  object.metadata.deletionTimestamp !== undefined &&
  formatFinalizers(object) !== formatFinalizers(old);

const formatFinalizers = (object: Live | undefined): string =>
  `${object?.metadata.finalizers?.join()}`;
