import { isMapping, omitUndefined } from '@tenantry/kube/mapping';
import { isTooDeep, type MarkedJson, parseMarkedJson } from '../connection/json.ts';
import { Malformed, TooDeep, maxTextLength, TooLarge } from '../errors/client-errors.ts';
import { apiVersionOf, type Kind, type Live } from '../kinds/kind.ts';
import type { List, UnreadableObject, WatchEvent } from './client.ts';
import { ApiError, type Status } from '../errors/api-error.ts';
import type { Stream } from '../connection/transport.ts';

/**
 * Returns the value as an object of the kind. Validates only its metadata, and trusts the server with the other fields.
 * @throws {Malformed}
 */
export function parseObject<K extends Kind>(_kind: K, value: unknown, request: string): Live<K> {
  if (isObject<K>(value)) return value;
  throw new Malformed('an object with metadata', { request, text: formatValue(value) });
}

function isObject<K extends Kind>(value: unknown): value is Live<K> {
  return isMapping(value) && isMapping(value['metadata']);
}

/**
 * Returns the object that still waits for its finalizers, from the answer to a deletion. The answer for a deleted
 * object is a Status, or for some kinds the former object. That has no deletionTimestamp, or is a pod whose grace
 * period is over, with one but nothing to wait for.
 */
export function parsePendingDeletion<K extends Kind>(
  _kind: K,
  value: unknown,
): Live<K> | undefined {
  if (!isObject<K>(value)) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = value.metadata;
  const isOver = deletionGracePeriodSeconds === 0 && finalizers.length === 0;
  return deletionTimestamp === undefined || isOver ? undefined : value;
}

/** How to parse a list. */
interface ParseListOptions {
  readonly request: string;
  readonly onUnreadable: ((object: UnreadableObject) => void) | undefined;
}

/** Without `onUnreadable`, a caller must not mistake the readable objects for the complete list. */
function throwUnreadable({ error }: UnreadableObject): never {
  throw error;
}

/**
 * Parses one page of objects of the kind. Items get the kind's apiVersion and kind: built-in kinds omit them, and
 * metadata-only lists contain PartialObjectMetadata. Items that are nested too deep are passed to
 * `onUnreadable`.
 * @throws {Malformed}
 * @throws {TooDeep}
 */
export function parseList<K extends Kind>(
  kind: K,
  { value, isMarked }: MarkedJson,
  { request, onUnreadable = throwUnreadable }: ParseListOptions,
): List<K> {
  const metadata = isMapping(value) ? value['metadata'] : undefined;
  const items = isMapping(value) ? (value['items'] ?? []) : undefined;
  if (!isMapping(metadata) || !Array.isArray(items)) {
    throw new Malformed('a list', { request, text: formatValue(value) });
  }
  const next = metadata['continue'];
  const readable = isMarked ? items.filter((item) => !isUnreadable(item)) : items;
  if (readable.length < items.length) {
    const isRead = new Set(readable);
    for (const item of items) if (!isRead.has(item)) onUnreadable(parseUnreadable(item, request));
  }
  return omitUndefined({
    items: readable.map((item: unknown) => parseWithTypeMeta(kind, item, request)),
    resourceVersion: String(metadata['resourceVersion'] ?? ''),
    continue: typeof next === 'string' && next !== '' ? next : undefined,
  });
}

/** Returns the object with the apiVersion and kind of the kind. */
function parseWithTypeMeta<K extends Kind>(kind: K, value: unknown, request: string): Live<K> {
  const apiVersion = apiVersionOf(kind);
  if (isMapping(value)) {
    if (value['apiVersion'] !== apiVersion) value['apiVersion'] = apiVersion;
    if (value['kind'] !== kind.kind) value['kind'] = kind.kind;
  }
  return parseObject(kind, value, request);
}

/**
 * Whether an object contains a marked value outside of its managedFields. Those are as deep as the fields that they
 * name. No reader of lists and watches needs them, so they are dropped.
 */
function isUnreadable(value: unknown): boolean {
  if (!isMapping(value)) return isTooDeep(value);
  const { metadata } = value;
  if (isMapping(metadata) && isTooDeep(metadata['managedFields'])) delete metadata['managedFields'];
  return isTooDeep(value);
}

/** @throws {Malformed} */
function parseUnreadable(value: unknown, request: string): UnreadableObject {
  const { metadata } = parseObject({} as Kind, value, request);
  if (isTooDeep(metadata)) throw new Malformed('an object with metadata', { request });
  return { metadata, error: new TooDeep(request) };
}

/** Formats a value as `Malformed` quotes it. */
function formatValue(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  );
}

/**
 * Yields the lines of a text, each with its line break; a text that ends without one yields its last line without it.
 * @throws {TooLarge} for a line of more than `most` characters
 */
export async function* splitLines(
  chunks: AsyncIterable<string>,
  most = maxTextLength,
): AsyncGenerator<string, void, undefined> {
  // Parts of a long line are joined once instead of with every chunk.
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      const line = parts.join('') + chunk.slice(start, end + 1);
      parts = [];
      length = 0;
      start = end + 1;
      yield line;
    }
    if (start === chunk.length) continue;
    parts.push(chunk.slice(start));
    length += chunk.length - start;
    if (length > most) throw new TooLarge(most);
  }
  if (parts.length > 0) yield parts.join('');
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
  const { value, isMarked } = parseLine(text, request);
  const { type, object }: Record<string, unknown> = isMapping(value) ? value : {};
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED': {
      if (!isMarked || !isUnreadable(object)) {
        return { type, object: parseWithTypeMeta(kind, object, request) };
      }
      if (type !== 'DELETED') return parseUnreadable(object, request);
      // A deleted object need not be readable.
      const { metadata } = parseUnreadable(object, request);
      return { type, object: parseWithTypeMeta(kind, { metadata }, request) };
    }
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

function parseLine(text: string, request: string): MarkedJson {
  try {
    return parseMarkedJson(text);
  } catch (cause) {
    throw new Malformed('an event of a watch', { request, text, cause });
  }
}

function isStatus(object: unknown): object is Status {
  return isMapping(object) && object['kind'] === 'Status';
}
