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
  /** Takes over fields that other managers own. @default false */
  readonly force?: boolean;
  /** Skips waiting for available Deployments. @default false */
  readonly skipWait?: boolean;
  /** Called for each object as soon as the cluster has it. */
  applied?(applied: Applied): void;
}

/** The result of a deploy. */
export interface DeployResult {
  readonly applied: readonly Applied[];
  /** Refusals and timeouts. Objects that were applied before are kept. */
  readonly problems: readonly Problem[];
}

/**
 * Applies objects stage by stage. It waits for definitions to be served and for Deployments to be
 * available. All refusals of a stage are reported, and the next stage is then not started. Another
 * run continues from the current state.
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
    // Objects of the operator's definitions may need its webhooks, and so the running operator.
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

/** Runs an action and reports a refusal or a timeout as a problem of the object. */
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
    return [`must be ready in time: ${error.message}: ${[first, ...more].join('; ')}`];
  }
  if (!(error instanceof ApiError)) throw error;
  if (error.isUnauthorized) throw error;
  if (error.isFieldConflict) {
    const causes = error.details.causes ?? [];
    const told = causes.map(({ field = '', message = '' }) => `${field} (${message})`);
    return [`must have no other field manager: ${told.join(', ')}; --force takes them over`];
  }
  return [`must be accepted by the cluster, got ${error.status} ${error.reason}: ${error.message}`];
}
