import { errorAt, problemOf } from '../../kube/finding.ts';
import type { Problem } from '../../kube/problem.ts';
import { ApiError } from '../../runtime/errors/api-error.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import { Namespace } from '../../runtime/kinds/core.ts';
import { waitUntil, TimeoutError, type ClusterOperation } from '../await/cluster-operation.ts';
import { DEFINITION } from '../objects/custom-kinds.ts';
import { wordsFor, type Named } from '../objects/placed.ts';
import { grouped, stageOf, stages } from '../objects/stages.ts';
import { look } from './look.ts';
import { isNamespace, objectionsTo, type Removal } from './plan.ts';
import type { Found } from './survey.ts';

/** What a removal came to. */
export interface Removed {
  /** Gone, in the order in which they went. */
  readonly removed: readonly Named[];
  /** What was refused, or is still there; what is not gone by then stays. */
  readonly problems: readonly Problem[];
}

/**
 * Takes away what a plan says, stage by stage from the end, and waits for each to be gone: objects of definitions
 * first, while their operator still runs and takes their finalizers away. Each is deleted as the very object that
 * was looked at. What takes more with it, definitions and Namespaces, is looked at again right before. Where one does
 * not go, nothing after it is begun; done again, it goes on.
 */
export async function remove(
  removal: Removal,
  doing: ClusterOperation,
  gone: (named: Named) => void = () => undefined,
): Promise<Removed> {
  const removed: Named[] = [];
  for (const round of roundsOf(removal)) {
    const objections = await objectionsNow(round, removal, doing);
    if (objections.length > 0) return { removed, problems: objections };
    const problems = await removeAll(round, doing, (named) => {
      removed.push(named);
      gone(named);
    });
    if (problems.length > 0) return { removed, problems };
  }
  return { removed, problems: [] };
}

async function objectionsNow(
  round: readonly Found[],
  removal: Removal,
  { client }: ClusterOperation,
): Promise<readonly Problem[]> {
  const wide = round.filter((one) => one.kind.kind === DEFINITION || isNamespace(one));
  return wide.length === 0 ? [] : objectionsTo(removal, await look(client, wide));
}

/** What goes at once, in the order in which it goes. */
function roundsOf({ going, instances, defined }: Removal): readonly (readonly Found[])[] {
  const own = [...instances.values()].flat();
  const uids = new Set(own.map(({ metadata }) => metadata.uid));
  const others = going.filter(({ metadata }) => !uids.has(metadata.uid));
  const byStage = grouped(others, ({ kind }) => stageOf(kind, defined));
  const rounds = stages.toReversed().map((stage) => byStage.get(stage) ?? []);
  return [own, ...rounds].filter((round) => round.length > 0);
}

async function removeAll(
  round: readonly Found[],
  doing: ClusterOperation,
  gone: (named: Named) => void,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const asked: Found[] = [];
  for (const found of round) {
    try {
      await ask(found, doing);
      asked.push(found);
    } catch (error) {
      problems.push(refusalOf(found, error));
    }
  }
  for (const found of asked) {
    try {
      await untilGone(found, doing);
      gone(found);
    } catch (error) {
      problems.push(refusalOf(found, error));
    }
  }
  return problems;
}

const workloads: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job']);

async function ask(
  { kind, name, metadata }: Found,
  { client, signal }: ClusterOperation,
): Promise<void> {
  const { uid } = metadata;
  // Pods end before the rights that they use.
  const policy = workloads.has(kind.kind) ? 'Foreground' : 'Background';
  const options = { preconditions: { uid }, propagationPolicy: policy, signal } as const;
  await client.delete(kind, name, options).catch(ifGone);
}

function untilGone(found: Found, doing: ClusterOperation): Promise<true> {
  const { kind, name, metadata } = found;
  return waitUntil(doing, `${wordsFor(found)} to be gone`, async () => {
    const live = await doing.client.get(kind, name).catch(ifGone);
    if (!live || live.metadata.uid !== metadata.uid) return { done: true };
    const { finalizers = [] } = live.metadata;
    const waits =
      finalizers.length > 0 ? [`it waits for the finalizers ${finalizers.join(', ')}`] : [];
    return { waiting: [...waits, ...(await hindrances(found, doing))] };
  });
}

/** What a Namespace says of why it is still there. */
async function hindrances({ kind, name }: Found, { client }: ClusterOperation): Promise<string[]> {
  if (kind.kind !== 'Namespace') return [];
  const live = await client.get(Namespace, name).catch(ifGone);
  return (live?.status?.conditions ?? []).flatMap(({ status, message }) =>
    status === 'True' && message !== undefined ? [message] : [],
  );
}

function refusalOf(found: Found, error: unknown): Problem {
  return problemOf(errorAt([], `${wordsFor(found)} ${messageOf(found, error)}`, 'removal'), {});
}

function messageOf({ kind }: Found, error: unknown): string {
  if (error instanceof TimeoutError) {
    const reasons = error.reasons.length > 0 ? error.reasons.join('; ') : 'no reason is known';
    const isOwn = kind.group !== '' && kind.kind !== DEFINITION;
    const hint = isOwn && reasons.includes('finalizers') ? ': does its operator run?' : '';
    return `must be gone in time, and is still there: ${reasons}${hint}`;
  }
  if (!(error instanceof ApiError) || error.isUnauthorized) throw error;
  return `must be deletable, got ${error.status} ${error.reason}: ${error.message}`;
}
