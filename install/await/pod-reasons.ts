import { formatBrief } from '../../kube/problem.ts';
import type { ContainerState, ContainerStatus, Pod } from '../../runtime/kinds/core.ts';
import type { Immutable, Live } from '../../runtime/kinds/kind.ts';

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
  const before = endOf(lastState);
  const again = before === undefined ? '' : ` (before that it ${before})`;
  const { waiting } = state;
  if (waiting && waiting.reason !== 'PodInitializing' && waiting.reason !== 'ContainerCreating') {
    return [`container ${name}: ${formatReason(waiting.reason, waiting.message)}${again}`];
  }
  const end = endOf(state);
  if (end !== undefined && state.terminated?.exitCode !== 0) return [`container ${name} ${end}`];
  if (state.running && !ready) {
    return [`container ${name} runs, and is not ready; restarted ${restartCount} times${again}`];
  }
  return [];
}

function endOf(state: Immutable<ContainerState> | undefined): string | undefined {
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
