import type { Kind } from '@tenantry/runtime/kinds/kind';
import type { Received } from './scripted-server.ts';

/** Selects requests. */
export type Matches = (received: Received) => boolean;

/** A watch, also one that begins with all objects. */
export const isWatch: Matches = (received) => isReading(received) && isTrue(received, 'watch');

/** A watch that begins with all objects (WatchList, KEP-3157) and so replaces a list. */
export const isStreamedList: Matches = (received) =>
  isWatch(received) && isTrue(received, 'sendInitialEvents');

/** A list, or a page of one. */
export const isList: Matches = (received) =>
  isReading(received) && isCollection(received.url) && !isWatch(received);

/** A request that changes something: create, update, patch or delete. */
export const isWrite: Matches = (received) => !isReading(received);

/** Matches requests for one kind, its subresources included: `of(core.ConfigMap, isWatch)`. */
export function of(kind: Kind, matches: Matches = () => true): Matches {
  return (received) => {
    const { group, parts } = parseResourcePath(received.url);
    return group === kind.group && parts[0] === kind.plural && matches(received);
  };
}

/** Matches the n-th matching request, counted from 1 and from the time of this call. */
export function nth(n: number, matches: Matches): Matches {
  let count = 0;
  return (received) => {
    if (!matches(received)) return false;
    count += 1;
    return count === n;
  };
}

const isReading = ({ method }: Received): boolean => method === 'GET' || method === 'HEAD';

function isTrue({ url }: Received, parameter: string): boolean {
  const value = parseParams(url).get(parameter);
  return value === 'true' || value === '1';
}

/** Returns the query parameters of a URL. */
export function parseParams(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
}

/** Subresources of namespaces. Their paths look like those of collections in a namespace. */
const namespaceSubresources = new Set(['status', 'finalize']);

/** Parses `/apis/apps/v1/namespaces/n/deployments/a` into `apps`, `deployments` and `a`. */
function parseResourcePath(url: string): {
  readonly group: string;
  readonly parts: readonly string[];
} {
  const [, room, ...rest] = url.replace(/\?.*$/s, '').split('/');
  const group = room === 'apis' ? (rest.shift() ?? '') : '';
  const parts = rest.slice(1);
  const isWithin = parts[0] === 'namespaces' && parts[2] !== undefined;
  const isInNamespace = isWithin && !namespaceSubresources.has(parts[2] ?? '');
  return { group, parts: isInNamespace ? parts.slice(2) : parts };
}

const isCollection = (url: string): boolean => parseResourcePath(url).parts.length === 1;
