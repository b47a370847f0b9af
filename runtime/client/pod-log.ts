import type { Call } from '../connection/call.ts';
import { Pod } from '../kinds/core.ts';
import type { ObjectName } from '../kinds/kind.ts';
import type { PodLogOptions } from './client.ts';
import { objectPath } from './paths.ts';

/** The subresource of a pod with its log. */
export const LOG = 'log';

/** Returns the call that reads the log of a pod. The log comes as text, an error as JSON. */
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
