import { isList, isStreamedList, isWatch, paramsOf } from './requests.ts';
import type { Received } from './scripted-server.ts';

/** Changes a request to ask for a past version, where the API allows it: see the fault `past`. */
export function requestPastVersion(received: Received, resourceVersion: string): Received {
  const query = paramsOf(received.url);
  // A later page has its version in its token.
  const isPage = isList(received) && !query.has('continue');
  if (!isPage && (!isWatch(received) || isStreamedList(received))) return received;
  query.set('resourceVersion', resourceVersion);
  if (isPage) query.set('resourceVersionMatch', 'Exact');
  return { ...received, url: `${received.url.replace(/\?.*$/s, '')}?${query}` };
}
