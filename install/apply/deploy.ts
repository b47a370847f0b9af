import { errorAt, toProblem } from '../../kube/finding.ts';
import type { Problem } from '../../kube/problem.ts';
import { ApiError } from '../../runtime/errors/api-error.ts';
import { waitUntil, TimeoutError, type ClusterOperation } from '../await/cluster-operation.ts';
import { pollDefinition } from '../await/established.ts';
import { pollRollout } from '../await/rollout.ts';
import { namedOf, formatObjectName, type PlacedObject } from '../objects/placed.ts';
import { staged, stages, type Stage } from '../objects/stages.ts';
import { applyObject, type Applied } from './apply-object.ts';

export interface DeployOptions {
  /** Takes fields that other managers own. @default false */
  readonly force?: boolean;
  /** Ends without asking whether Deployments are available. @default false */
  readonly skipWait?: boolean;
  /** Told of each object, as soon as the cluster has it. */
  applied?(applied: Applied): void;
}

/** What a deploy came to. */
export interface DeployResult {
  readonly applied: readonly Applied[];
  /** What was refused, or did not come in time; what was applied before stays. */
  readonly problems: readonly Problem[];
}

/**
 * Applies objects, stage by stage, and waits for definitions to be served and Deployments to be available. Of one
 * stage all refusals are told; the next is not begun then. Done again, it goes on from what is there.
 */
export async function deploy(
  objects: readonly PlacedObject[],
  operation: ClusterOperation,
  options: DeployOptions = {},
): Promise<DeployResult> {
  const applied: Applied[] = [];
  const problems: Problem[] = [];
  const byStage = staged(objects);
  for (const stage of stages) {
    const own = byStage.get(stage) ?? [];
    for (const placed of own) {
      await collectProblems(placed, problems, async () => {
        const one = await applyObject(placed, operation, options.force ?? false);
        applied.push(one);
        options.applied?.(one);
      });
    }
    if (problems.length === 0) await settle(stage, own, { operation, problems, ...options });
    if (problems.length > 0) break;
    // Objects of its own definitions may need the operator, by its webhooks.
    if (stage === 'webhooks' && !options.skipWait) {
      await available(byStage.get('workloads') ?? [], operation, problems);
      if (problems.length > 0) break;
    }
  }
  return { applied, problems };
}

interface Settling {
  readonly operation: ClusterOperation;
  readonly problems: Problem[];
}

async function settle(
  stage: Stage,
  objects: readonly PlacedObject[],
  { operation, problems }: Settling,
): Promise<void> {
  if (stage !== 'definitions') return;
  for (const placed of objects) {
    const { name } = placed.object.metadata;
    await collectProblems(placed, problems, () =>
      waitUntil(operation, `CustomResourceDefinition ${name} to be served`, () =>
        pollDefinition(operation.client, name),
      ),
    );
  }
}

async function available(
  workloads: readonly PlacedObject[],
  operation: ClusterOperation,
  problems: Problem[],
): Promise<void> {
  for (const placed of workloads) {
    if (placed.kind.kind !== 'Deployment') continue;
    const named = namedOf(placed);
    await collectProblems(placed, problems, () =>
      waitUntil(operation, `${formatObjectName(named)} to be available`, () =>
        pollRollout(operation.client, named.name),
      ),
    );
  }
}

/** Runs; a refusal, or what did not come, is a problem of the object. */
async function collectProblems(
  placed: PlacedObject,
  problems: Problem[],
  run: () => Promise<unknown>,
): Promise<void> {
  const words = formatObjectName(namedOf(placed));
  try {
    await run();
  } catch (error) {
    problems.push(...messagesOf(error).map((message) => problemAt(words, message)));
  }
}

function problemAt(words: string, message: string): Problem {
  return toProblem(errorAt([], `${words} ${message}`, 'deploy'), {});
}

function messagesOf(error: unknown): string[] {
  if (error instanceof TimeoutError) {
    const [first = 'no reason is known', ...more] = error.reasons;
    return [`must become so in time: ${error.message}: ${[first, ...more].join('; ')}`];
  }
  if (!(error instanceof ApiError)) throw error;
  if (error.isUnauthorized) throw error;
  if (error.isFieldConflict) {
    const causes = error.details.causes ?? [];
    const told = causes.map(({ field = '', message = '' }) => `${field} (${message})`);
    return [`must be of no other manager: ${told.join(', ')}; --force takes them over`];
  }
  return [`must be accepted by the cluster, got ${error.status} ${error.reason}: ${error.message}`];
}
