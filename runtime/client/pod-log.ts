import type { Call } from '../connection/call.ts';
import { Pod } from '../kinds/core.ts';
import type { ObjectName } from '../kinds/kind.ts';
import type { PodLogOptions } from './client.ts';
import { objectPath } from './paths.ts';

/** The subresource of a pod by which its log is read. */
export const LOG = 'log';

/** What is asked for the log of a pod; refusals come as JSON, the log as text. */
export function podLogCall(pod: ObjectName, options: PodLogOptions, follow = false) {
  const { container, previous, sinceSeconds, sinceTime, tailLines, limitBytes } = options;
  const since = { sinceSeconds, sinceTime: sinceTime?.toISOString() };
  const part = { previous, ...since, tailLines, limitBytes, timestamps: options.timestamps };
  return {
    method: 'GET',
    path: objectPath(Pod, pod, LOG),
    resource: `${Pod.plural}/${LOG}`,
    query: { container, ...part, ...(follow && { follow }) },
    accept: 'application/json, */*',
    signal: options.signal,
  } as const satisfies Call;
}
