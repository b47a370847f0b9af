import type { KubeObject } from '@tenantry/kube/object';
import { errorAt, toProblem } from '@tenantry/kube/finding';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { Problem } from '@tenantry/kube/problem';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import type { Live } from '@tenantry/runtime/kinds/kind';
import type { Client } from '@tenantry/runtime/client/client';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import {
  waitUntil,
  TimeoutError,
  type ClusterOperation,
  type PollResult,
} from '../await/cluster-operation.ts';
import { pollRollout } from '../await/rollout.ts';
import {
  namedOf,
  formatObjectName,
  isCustom,
  type PlacedObject,
} from '../objects/placed-objects.ts';
import { staged, stages, type Stage } from '../objects/stages.ts';
import { DEPLOYED, isDeployed, MANAGER } from '../objects/ownership.ts';

/** The outcome for an object. `taken` existed before and was not created by a deploy. */
export type Outcome = 'created' | 'changed' | 'unchanged' | 'taken';

/** An object that the cluster has as declared. */
export interface Applied {
  readonly placed: PlacedObject;
  readonly outcome: Outcome;
}

interface DeployOptions {
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
        const one = await applyObject(placed, operation, { force: options.force ?? false });
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
    problems.push(...listMessages(error).map((message) => problemAt(words, message)));
  }
}

function problemAt(words: string, message: string): Problem {
  return toProblem(errorAt([], `${words} ${message}`, 'deploy'), {});
}

function listMessages(error: unknown): string[] {
  if (error instanceof TimeoutError) {
    const [first = 'no reason is known', ...more] = error.reasons;
    return [`must be ready in time: ${error.message}: ${[first, ...more].join('; ')}`];
  }
  if (!(error instanceof ApiError)) throw error;
  if (error.isUnauthorized) throw error;
  if (error.isFieldConflict) {
    const causes = error.details.causes ?? [];
    const managers = causes.map(({ field = '', message = '' }) => `${field} (${message})`);
    return [`must have no other field manager: ${managers.join(', ')}; --force takes them over`];
  }
  return [`must be accepted by the cluster, got ${error.status} ${error.reason}: ${error.message}`];
}

/**
 * Applies an object as the field manager of deploys. A new object is marked as deployed. An object
 * that is being deleted is waited for and created again.
 * @throws {ApiError} when the server refuses, also because of fields of other managers unless
 * `force`
 */
async function applyObject(
  placed: PlacedObject,
  operation: ClusterOperation,
  { force }: { readonly force: boolean },
): Promise<Applied> {
  const { client, signal } = operation;
  const before = await waitForOldObject(placed, operation);
  const isMarked = before === undefined || isDeployed(before.metadata);
  const { object, kind } = placed;
  const { annotations, ...metadata } = object.metadata;
  const marked = isMarked ? { ...annotations, [DEPLOYED]: 'true' } : annotations;
  const written = {
    ...object,
    metadata: omitUndefined<KubeObject['metadata']>({ ...metadata, annotations: marked }),
  };
  const options = { fieldManager: MANAGER, force, signal };
  const after = await waitUntil<Live>(
    operation,
    `${formatObjectName(namedOf(placed))} to be taken`,
    async () => {
      try {
        return { done: await client.apply(kind, written, options) };
      } catch (error) {
        return waitOnTransientError(error, { isCustom: isCustom(object) });
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
function waitOnTransientError(
  error: unknown,
  { isCustom }: { readonly isCustom: boolean },
): PollResult<never> {
  if (!(error instanceof ApiError)) throw error;
  const { message } = error;
  const isWebhook = error.status === 500 && message.includes('failed calling webhook');
  const isUnserved = isCustom && error.isNotFound && error.details.name === undefined;
  if (!isWebhook && !isUnserved && !error.isNamespaceTerminating) throw error;
  return { waiting: [message] };
}

/** Whether the API server serves a definition. Waiting is hopeless if its names belong to another one. */
async function pollDefinition(client: Client, name: string): Promise<PollResult<true>> {
  const definition = await client.get(CustomResourceDefinition, { name }).catch(ifGone);
  // A new definition has null there.
  const conditions = definition?.status?.conditions ?? [];
  const isTrue = (type: string): boolean =>
    conditions.some((one) => one.type === type && one.status === 'True');
  if (isTrue('Established') && !isTrue('Terminating')) return { done: true };
  const refused = conditions.filter(
    ({ type, status }) =>
      (type === 'NamesAccepted' || type === 'NonStructuralSchema') &&
      status === (type === 'NamesAccepted' ? 'False' : 'True'),
  );
  return {
    waiting: refused.map(({ reason, message }) => message ?? reason ?? 'its names are refused'),
    isHopeless: refused.some(({ type }) => type === 'NamesAccepted'),
  };
}
