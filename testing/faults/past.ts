import { isList, isStreamedList, isWatch, paramsOf } from './requests.ts';
import type { Received } from './scripted-server.ts';

/** The request as it asks for the past, where a server can tell it: see the fault `past`. */
export function requestPastVersion(received: Received, resourceVersion: string): Received {
  const query = paramsOf(received.url);
  // A page that is not the first has its version in its token.
  const isPage = isList(received) && !query.has('continue');
  if (!isPage && (!isWatch(received) || isStreamedList(received))) return received;
  query.set('resourceVersion', resourceVersion);
  if (isPage) query.set('resourceVersionMatch', 'Exact');
  return { ...received, url: `${received.url.replace(/\?.*$/s, '')}?${query}` };
}
