import { ApiError } from '../../runtime/errors/api-error.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { waitUntil, type ClusterOperation, type PollResult } from '../await/cluster-operation.ts';
import { DEPLOYED, isDeployed, MANAGER } from '../objects/owned.ts';
import { isCustom } from '../objects/place.ts';
import { namedOf, formatObjectName, type PlacedObject } from '../objects/placed.ts';

/** The outcome for an object. `taken` existed before and was not created by a deploy. */
export type Outcome = 'created' | 'changed' | 'unchanged' | 'taken';

/** An object that the cluster has as declared. */
export interface Applied {
  readonly placed: PlacedObject;
  readonly outcome: Outcome;
}

/**
 * Applies an object as the field manager of deploys. A new object is marked as deployed. An object
 * that is being deleted is waited for and created again.
 * @throws {ApiError} when the server refuses, also because of fields of other managers unless
 * `force`
 */
export async function applyObject(
  placed: PlacedObject,
  operation: ClusterOperation,
  force: boolean,
): Promise<Applied> {
  const { client, signal } = operation;
  const before = await waitForOldObject(placed, operation);
  const isMarked = before === undefined || isDeployed(before.metadata);
  const { object, kind } = placed;
  const { annotations, ...metadata } = object.metadata;
  const marked = isMarked ? { ...annotations, [DEPLOYED]: 'true' } : annotations;
  const written = { ...object, metadata: { ...metadata, ...(marked && { annotations: marked }) } };
  const options = { fieldManager: MANAGER, force, signal };
  const after = await waitUntil<Live>(
    operation,
    `${formatObjectName(namedOf(placed))} to be taken`,
    async () => {
      try {
        return { done: await client.apply(kind, written, options) };
      } catch (error) {
        return waitOnTransientError(error, isCustom(object));
      }
    },
  );
  const { resourceVersion } = after.metadata;
  if (!before) return { placed, outcome: 'created' };
  if (before.metadata.resourceVersion === resourceVersion) return { placed, outcome: 'unchanged' };
  return { placed, outcome: isMarked ? 'changed' : 'taken' };
}

/** Returns the live object, after waiting for a deletion in progress. */
function waitForOldObject(
  placed: PlacedObject,
  operation: ClusterOperation,
): Promise<Live | undefined> {
  const named = namedOf(placed);
  return waitUntil<Live | undefined>(
    operation,
    `the old ${formatObjectName(named)} to be gone`,
    async () => {
      // Not every server serves a kind yet whose definition was just accepted.
      const live = await operation.client.get(named.kind, named.name).catch(ifGone);
      if (live?.metadata.deletionTimestamp === undefined) return { done: live };
      const { finalizers = [] } = live.metadata;
      return { waiting: finalizers.length > 0 ? [`it waits for ${finalizers.join(', ')}`] : [] };
    },
  );
}

/** Waits on temporary refusals: a webhook without running pods, a terminating namespace, a new definition. */
function waitOnTransientError(error: unknown, isCustom: boolean): PollResult<never> {
  if (!(error instanceof ApiError)) throw error;
  const { message } = error;
  const isWebhook = error.status === 500 && message.includes('failed calling webhook');
  const isUnserved = isCustom && error.isNotFound && error.details.name === undefined;
  if (!isWebhook && !isUnserved && !error.isNamespaceTerminating) throw error;
  return { waiting: [message] };
}
