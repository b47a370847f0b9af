import { ApiError, type Status } from '../errors/apierror.ts';
import { Malformed } from '../errors/malformed.ts';
import type { Kind } from '../kinds/kind.ts';
import { parseJson } from '../connection/json.ts';
import type { Stream } from '../connection/transport.ts';
import { named, objectOf } from './answers.ts';
import type { WatchEvent } from './client.ts';

/** One line of a watch (meta/v1, WatchEvent). */
interface Line {
  readonly type?: unknown;
  readonly object?: unknown;
}

/**
 * The events of a watch, each read when it is asked for: a slow reader slows the connection down.
 * @throws {ApiError} for an event ERROR
 * @throws {Malformed} for a line that is no event, and an end in the middle of a line
 */
export async function* watchEvents<K extends Kind>(
  kind: K,
  { chunks, request }: Stream,
): AsyncGenerator<WatchEvent<K>, void, undefined> {
  for await (const line of linesOf(chunks, request)) yield eventOf(kind, line, request);
}

/** Lines that end with a line break; empty ones are skipped. */
async function* linesOf(
  chunks: AsyncIterable<string>,
  request: string,
): AsyncGenerator<string, void, undefined> {
  // Parts of a long line are joined once, not anew with every chunk.
  let parts: string[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const line = parts.join('') + chunk.slice(start, end);
      parts = [];
      start = end + 1;
      if (line.trim() !== '') yield line;
    }
    if (start < chunk.length) parts.push(chunk.slice(start));
  }
  const rest = parts.join('');
  if (rest.trim() !== '') throw new Malformed('a whole line of a watch', { request, text: rest });
}

function eventOf<K extends Kind>(kind: K, text: string, request: string): WatchEvent<K> {
  const { type, object } = lineOf(text, request);
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object: named(kind, object, request) };
    case 'BOOKMARK': {
      const { resourceVersion, annotations } = objectOf(kind, object, request).metadata;
      const isInitialEventsEnd = annotations?.['k8s.io/initial-events-end'] === 'true';
      return { type, resourceVersion, isInitialEventsEnd };
    }
    case 'ERROR':
      if (isStatus(object)) throw new ApiError(object, { request });
      break;
  }
  throw new Malformed('an event of a watch', { request, text });
}

function lineOf(text: string, request: string): Line {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw new Malformed('an event of a watch', { request, text, cause });
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new Malformed('an event of a watch', { request, text });
}

function isStatus(object: unknown): object is Status {
  return (
    typeof object === 'object' && object !== null && 'kind' in object && object.kind === 'Status'
  );
}
