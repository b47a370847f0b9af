import { ApiError } from '../../runtime/errors/api-error.ts';
import { keyOf } from '../../runtime/kinds/kind.ts';
import { describeError } from '../cluster/describe-error.ts';
import type { HealedObject } from '../heal/heal-run.ts';
import type { HealingResult } from '../heal/healer.ts';
import type { TenantMetrics } from '../metrics/tenant-metrics.ts';
import type { Observation } from './observation.ts';
import { writeStatus, type StatusTarget } from './write-status.ts';

/** Milliseconds until an unreadable object is read again. */
export const READ_AGAIN = 30_000;

/**
 * Creates a function that writes an observation into the status of a Tenant. A refusal by the API server is recorded
 * for metrics.
 */
export function createReporter(
  telling: StatusTarget,
  metrics: TenantMetrics,
  spend: () => void,
): (observation: Observation) => Promise<void> {
  const { name } = telling.object.metadata;
  return async (observation) => {
    try {
      const outcome = await writeStatus(observation, telling);
      if (outcome !== 'unchanged') spend();
      if (outcome === 'written') metrics.recordStatusDelay(name);
      metrics.recordReport(name, outcome !== 'absent');
    } catch (error) {
      spend();
      // A conflict is no refusal: the status is computed again.
      const isOutdated = error instanceof ApiError && error.isConflict;
      if (!isOutdated) metrics.recordReport(name, false);
      throw error;
    }
  };
}

/** Builds the observation of a tenant whose comparison failed. */
export function buildFailedObservation(error: unknown): Observation {
  return { type: 'unknown', reason: 'NotCompared', message: describeError(error) };
}

/** Builds the result of a healing that failed as a whole; the drift is reported nevertheless. */
export function buildFailedHealing(error: unknown): HealingResult {
  const message = `The tenant could not be healed: ${describeError(error)}`;
  const problems = [{ reason: 'HealRefused', message } as const];
  return { healed: [], problems, retryAfter: READ_AGAIN, fights: [] };
}

/** Returns the log fields about a healed object. */
export function healedFields({
  type,
  object,
  drift,
}: HealedObject): Readonly<Record<string, unknown>> {
  const { kind, metadata } = object;
  const fields = drift.flatMap(({ field }) => field ?? []);
  const managers = [...new Set(drift.flatMap(({ manager }) => manager ?? []))];
  return { type, kind, object: keyOf(metadata), fields, managers };
}
