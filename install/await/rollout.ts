import { matchesLabels, type LabelSelector } from '../../kube/label-selector.ts';
import { listPages, type Client } from '../../runtime/client/client.ts';
import { ApiError } from '../../runtime/errors/api-error.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import { Deployment } from '../../runtime/kinds/apps.ts';
import { Pod } from '../../runtime/kinds/core.ts';
import { keyOf, type Live, type ObjectName } from '../../runtime/kinds/kind.ts';
import type { PollResult } from './cluster-operation.ts';
import { explainUnreadyPod } from './pod-reasons.ts';

type LiveDeployment = Live<typeof Deployment>;

/** The number of pods whose problems are reported. */
const MOST = 5;

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
    ...pods.flatMap(explainUnreadyPod).slice(0, MOST),
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
  return 'done' in alone ? alone : evaluateRollout(deployment, await podsOf(client, deployment));
}

async function podsOf(client: Client, { metadata, spec }: LiveDeployment) {
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
