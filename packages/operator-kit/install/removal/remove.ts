import { errorAt, toProblem } from '@tenantry/kube/finding';
import type { Problem } from '@tenantry/kube/problem';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { Namespace } from '@tenantry/runtime/kinds/core';
import { waitUntil, TimeoutError, type ClusterOperation } from '../await/cluster-operation.ts';
import { DEFINITION, formatObjectName, type NamedObject } from '../objects/placed-objects.ts';
import { grouped, chooseStage, stages } from '../objects/stages.ts';
import { surveyObjects, type FoundObject } from './survey.ts';
import { isNamespace, findObjections, type RemovalPlan } from './plan.ts';

/** The result of a removal. */
export interface RemovalResult {
  /** The deleted objects, in the order of their deletion. */
  readonly removed: readonly NamedObject[];
  /** Refusals and timeouts. Objects that were not deleted by then are kept. */
  readonly problems: readonly Problem[];
}

/**
 * Deletes the objects of a plan stage by stage, last stage first, and waits for each deletion.
 * Objects of definitions come first, while their operator still runs and removes their finalizers.
 * A precondition limits each deletion to the object that was planned. Definitions and Namespaces,
 * which take other objects with them, are surveyed again right before.
 *
 * If a deletion does not finish, nothing after it is started. Another run continues.
 */
export async function remove(
  removal: RemovalPlan,
  operation: ClusterOperation,
  gone: (named: NamedObject) => void = () => undefined,
): Promise<RemovalResult> {
  const removed: NamedObject[] = [];
  for (const round of planRounds(removal)) {
    const objections = await objectionsNow(round, removal, operation);
    if (objections.length > 0) return { removed, problems: objections };
    const problems = await removeAll(round, operation, (named) => {
      removed.push(named);
      gone(named);
    });
    if (problems.length > 0) return { removed, problems };
  }
  return { removed, problems: [] };
}

async function objectionsNow(
  round: readonly FoundObject[],
  removal: RemovalPlan,
  { client }: ClusterOperation,
): Promise<readonly Problem[]> {
  const wide = round.filter((one) => one.kind.kind === DEFINITION || isNamespace(one));
  return wide.length === 0 ? [] : findObjections(removal, await surveyObjects(client, wide));
}

/** Groups the objects that are deleted together, in the order of deletion. */
function planRounds({
  going,
  instances,
  defined,
}: RemovalPlan): readonly (readonly FoundObject[])[] {
  const own = [...instances.values()].flat();
  const uids = new Set(own.map(({ metadata }) => metadata.uid));
  const others = going.filter(({ metadata }) => !uids.has(metadata.uid));
  const byStage = grouped(others, ({ kind }) => chooseStage(kind, defined));
  const rounds = stages.toReversed().map((stage) => byStage.get(stage) ?? []);
  return [own, ...rounds].filter((round) => round.length > 0);
}

async function removeAll(
  round: readonly FoundObject[],
  operation: ClusterOperation,
  gone: (named: NamedObject) => void,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const requested: FoundObject[] = [];
  for (const found of round) {
    try {
      await requestDeletion(found, operation);
      requested.push(found);
    } catch (error) {
      problems.push(buildRefusal(found, error));
    }
  }
  for (const found of requested) {
    try {
      await untilGone(found, operation);
      gone(found);
    } catch (error) {
      problems.push(buildRefusal(found, error));
    }
  }
  return problems;
}

const workloads: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job']);

async function requestDeletion(
  { kind, name, metadata }: FoundObject,
  { client, signal }: ClusterOperation,
): Promise<void> {
  const { uid } = metadata;
  // Pods must end before the rights that they use are deleted.
  const policy = workloads.has(kind.kind) ? 'Foreground' : 'Background';
  const options = { preconditions: { uid }, propagationPolicy: policy, signal } as const;
  await client.delete(kind, name, options).catch(ifGone);
}

function untilGone(found: FoundObject, operation: ClusterOperation): Promise<true> {
  const { kind, name, metadata } = found;
  return waitUntil(operation, `${formatObjectName(found)} to be gone`, async () => {
    const live = await operation.client.get(kind, name).catch(ifGone);
    if (!live || live.metadata.uid !== metadata.uid) return { done: true };
    const { finalizers = [] } = live.metadata;
    const waits =
      finalizers.length > 0 ? [`it waits for the finalizers ${finalizers.join(', ')}`] : [];
    return { waiting: [...waits, ...(await findDeletionBlockers(found, operation))] };
  });
}

/** Returns the reasons why a Namespace still exists, from its conditions. */
async function findDeletionBlockers(
  { kind, name }: FoundObject,
  { client }: ClusterOperation,
): Promise<string[]> {
  if (kind.kind !== 'Namespace') return [];
  const live = await client.get(Namespace, name).catch(ifGone);
  return (live?.status?.conditions ?? []).flatMap(({ status, message }) =>
    status === 'True' && message !== undefined ? [message] : [],
  );
}

function buildRefusal(found: FoundObject, error: unknown): Problem {
  return toProblem(
    errorAt([], `${formatObjectName(found)} ${formatMessage(found, error)}`, 'removal'),
    {},
  );
}

function formatMessage({ kind }: FoundObject, error: unknown): string {
  if (error instanceof TimeoutError) {
    const reasons = error.reasons.length > 0 ? error.reasons.join('; ') : 'no reason is known';
    const isOwn = kind.group !== '' && kind.kind !== DEFINITION;
    const hint = isOwn && reasons.includes('finalizers') ? ': does its operator run?' : '';
    return `must be gone in time, and is still there: ${reasons}${hint}`;
  }
  if (!(error instanceof ApiError) || error.isUnauthorized) throw error;
  return `must be deletable, got ${error.status} ${error.reason}: ${error.message}`;
}
