import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import { listPages, type Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { Deployment } from '@tenantry/runtime/kinds/apps';
import { Pod, type ContainerState, type ContainerStatus } from '@tenantry/runtime/kinds/core';
import { keyOf, type Live, type ObjectName, type Immutable } from '@tenantry/runtime/kinds/kind';
import { formatBrief } from '@tenantry/kube/problem';
import type { PollResult } from './cluster-operation.ts';

type LiveDeployment = Live<typeof Deployment>;

/** The number of pods whose problems are reported. */
const MAX_PODS = 5;

/**
 * Evaluates a rollout as `kubectl rollout status` does: it is done when all replicas are updated
 * and available. Otherwise it returns the reasons, from the conditions of the Deployment and of its
 * pods.
 */
export function evaluateRollout(
  deployment: LiveDeployment,
  pods: readonly Live<typeof Pod>[],
): PollResult<LiveDeployment> {
  const { metadata, spec, status = {} } = deployment;
  const { replicas: wanted = 1 } = spec ?? {};
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, conditions = [] } = status;
  const isSeen = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const isUpdated = updatedReplicas >= wanted && replicas <= updatedReplicas;
  if (isSeen && isUpdated && availableReplicas >= updatedReplicas) return { done: deployment };
  const late = conditions.find(({ reason }) => reason === 'ProgressDeadlineExceeded');
  const refused = conditions.find(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  );
  const available = `${availableReplicas} of ${wanted} available`;
  const old = replicas - updatedReplicas;
  const reasons = [
    isSeen && old > 0 && updatedReplicas >= wanted
      ? `${available}, ${old} old terminating`
      : available,
    ...(refused ? [`no pod can be made: ${refused.message ?? refused.reason}`] : []),
    ...pods.flatMap(explainUnreadyPod).slice(0, MAX_PODS),
    ...(late && isSeen ? [late.message ?? 'its progress deadline has passed'] : []),
  ];
  return { waiting: reasons, isHopeless: isSeen && late?.status === 'False' };
}

/** Evaluates the rollout in the cluster. Without the right to read pods, their problems are left out. */
export async function pollRollout(
  client: Client,
  name: ObjectName,
): Promise<PollResult<LiveDeployment>> {
  const deployment = await client.get(Deployment, name).catch(ifGone);
  if (!deployment) return { waiting: [`Deployment ${keyOf(name)} is not there`] };
  const alone = evaluateRollout(deployment, []);
  return 'done' in alone ? alone : evaluateRollout(deployment, await listPods(client, deployment));
}

async function listPods(client: Client, { metadata, spec }: LiveDeployment) {
  const { selector } = spec ?? {};
  if (!selector) return [];
  const { namespace } = metadata;
  const labelSelector = Object.entries(selector.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const pods: Live<typeof Pod>[] = [];
  try {
    for await (const { items } of listPages(client, Pod, { namespace, labelSelector })) {
      pods.push(
        ...items.filter((pod) =>
          matchesLabels(selector as LabelSelector, pod.metadata.labels ?? {}),
        ),
      );
    }
  } catch (error) {
    if (!(error instanceof ApiError && error.isForbidden)) throw error;
  }
  return pods;
}

type LivePod = Live<typeof Pod>;

/** Explains why a pod is not ready, one line per reason; empty for a ready or terminating pod. */
export function explainUnreadyPod({ metadata, status = {} }: LivePod): readonly string[] {
  if (metadata.deletionTimestamp !== undefined) return [];
  const { conditions = [], initContainerStatuses = [], containerStatuses = [] } = status;
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  if (isReady || status.phase === 'Succeeded') return [];
  const pod = `pod ${metadata.name}`;
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') {
    return [`${pod} has no node: ${formatReason(scheduled.reason, scheduled.message)}`];
  }
  if (status.phase === 'Failed')
    return [`${pod} failed: ${formatReason(status.reason, status.message)}`];
  const containers = [...initContainerStatuses, ...containerStatuses].flatMap(containerReason);
  if (containers.length > 0) return containers.map((reason) => `${pod} ${reason}`);
  return [`${pod} is not ready: ${status.phase ?? 'no status yet'}`];
}

function containerReason(container: Immutable<ContainerStatus>): string[] {
  const { name, state = {}, lastState, ready, restartCount } = container;
  const before = describeEnd(lastState);
  const again = before === undefined ? '' : ` (before that it ${before})`;
  const { waiting } = state;
  if (waiting && waiting.reason !== 'PodInitializing' && waiting.reason !== 'ContainerCreating') {
    return [`container ${name}: ${formatReason(waiting.reason, waiting.message)}${again}`];
  }
  const end = describeEnd(state);
  if (end !== undefined && state.terminated?.exitCode !== 0) return [`container ${name} ${end}`];
  if (state.running && !ready) {
    return [`container ${name} runs, and is not ready; restarted ${restartCount} times${again}`];
  }
  return [];
}

function describeEnd(state: Immutable<ContainerState> | undefined): string | undefined {
  const ended = state?.terminated;
  if (!ended) return undefined;
  const { exitCode, reason, message } = ended;
  return `ended with ${exitCode}: ${formatReason(reason, message)}`;
}

function formatReason(reason = 'no reason is given', message = ''): string {
  return message === '' ? reason : `${reason}: ${brief300(message)}`;
}

/** Shortens a message to one line, since registries and quotas have long ones. */
function brief300(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 300 ? line : `${line.slice(0, 240)} ... ${formatBrief(line.slice(-50))}`;
}
