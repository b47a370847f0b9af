import { ApiError, type Status } from '../errors/api-error.ts';
import { Malformed } from '../errors/client-errors.ts';
import type { Kind } from '../kinds/kind.ts';
import { parseMarkedJson, type MarkedJson } from '../connection/json.ts';
import type { Stream } from '../connection/transport.ts';
import {
  isUnreadable,
  parseWithTypeMeta,
  parseObject,
  throwUnreadable,
  parseUnreadable,
  splitLines,
} from './answers.ts';
import type { UnreadableObject, WatchEvent } from './client.ts';

/** One line of a watch (meta/v1, WatchEvent). */
interface Line {
  readonly type?: unknown;
  readonly object?: unknown;
}

/**
 * Parses the events of a watch, each on demand: a slow consumer slows the connection down.
 * @throws {ApiError} for an ERROR event
 * @throws {Malformed} for a line that is not an event, and for an end in the middle of a line
 * @throws {TooDeep} for an object that is nested too deep, unless there is `onUnreadable`
 */
export async function* parseWatchEvents<K extends Kind>(
  kind: K,
  { chunks, request }: Stream,
  onUnreadable: (object: UnreadableObject) => void = throwUnreadable,
): AsyncGenerator<WatchEvent<K>, void, undefined> {
  for await (const line of splitLines(chunks)) {
    if (line.trim() === '') continue;
    if (!line.endsWith('\n'))
      throw new Malformed('a whole line of a watch', { request, text: line });
    const event = parseEvent(kind, line.slice(0, -1), request);
    if ('type' in event) yield event;
    else onUnreadable(event);
  }
}

function parseEvent<K extends Kind>(
  kind: K,
  text: string,
  request: string,
): WatchEvent<K> | UnreadableObject {
  const { line, isMarked } = parseLine(text, request);
  const { type, object } = line;
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      if (!isMarked || !isUnreadable(object)) {
        return { type, object: parseWithTypeMeta(kind, object, request) };
      }
      if (type !== 'DELETED') return parseUnreadable(object, request);
      // A deleted object need not be readable.
      return {
        type,
        object: parseWithTypeMeta(
          kind,
          { metadata: parseUnreadable(object, request).metadata },
          request,
        ),
      };
    case 'BOOKMARK': {
      const { resourceVersion, annotations } = parseObject(kind, object, request).metadata;
      const isInitialEventsEnd = annotations?.['k8s.io/initial-events-end'] === 'true';
      return { type, resourceVersion, isInitialEventsEnd };
    }
    case 'ERROR':
      if (isStatus(object)) throw new ApiError(object, { request });
      break;
  }
  throw new Malformed('an event of a watch', { request, text });
}

function parseLine(
  text: string,
  request: string,
): { readonly line: Line; readonly isMarked: boolean } {
  let read: MarkedJson;
  try {
    read = parseMarkedJson(text);
  } catch (cause) {
    throw new Malformed('an event of a watch', { request, text, cause });
  }
  const { value, isMarked } = read;
  if (typeof value === 'object' && value !== null) return { line: value, isMarked };
  throw new Malformed('an event of a watch', { request, text });
}

function isStatus(object: unknown): object is Status {
  return (
    typeof object === 'object' && object !== null && 'kind' in object && object.kind === 'Status'
  );
}
