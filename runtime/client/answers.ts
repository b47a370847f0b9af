import { isTooDeep, type MarkedJson } from '../connection/json.ts';
import { Malformed } from '../errors/malformed.ts';
import { TooDeep } from '../errors/too-deep.ts';
import { apiVersionOf, type Kind, type Live } from '../kinds/kind.ts';
import type { List, UnreadableObject } from './client.ts';

/** An object of JSON, before anything is known of its fields. */
type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value as an object of the kind. Of the fields only metadata is asked for; for the others the
 * server's word is taken.
 * @throws {Malformed}
 */
export function parseObject<K extends Kind>(_kind: K, value: unknown, request: string): Live<K> {
  if (isObject<K>(value)) return value;
  throw new Malformed('an object with metadata', { request, text: formatValue(value) });
}

function isObject<K extends Kind>(value: unknown): value is Live<K> {
  return isFields(value) && isFields(value['metadata']);
}

/**
 * What waits, by the answer to a deletion. What is gone is answered with a Status, or, of some kinds, with
 * the object as it was: without a deletionTimestamp, or, of a pod whose time to end was over, with one and
 * nothing that it could wait for.
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

/** How a list is read. */
export interface ParseListOptions {
  readonly request: string;
  readonly onUnreadable: ((object: UnreadableObject) => void) | undefined;
}

/** Who does not ask for what is nested too deep must not take the rest for all that is there. */
export function throwUnreadable({ error }: UnreadableObject): never {
  throw error;
}

/**
 * One page of objects of the kind. Items of Kubernetes' own kinds come without apiVersion and kind,
 * and such with metadata only as PartialObjectMetadata: they get those of the kind. What is nested too deep is
 * told to who asks for it.
 * @throws {Malformed}
 * @throws {TooDeep}
 */
export function parseList<K extends Kind>(
  kind: K,
  { value, isMarked }: MarkedJson,
  { request, onUnreadable = throwUnreadable }: ParseListOptions,
): List<K> {
  const metadata = isFields(value) ? value['metadata'] : undefined;
  const items = isFields(value) ? (value['items'] ?? []) : undefined;
  if (!isFields(metadata) || !Array.isArray(items)) {
    throw new Malformed('a list', { request, text: formatValue(value) });
  }
  const next = metadata['continue'];
  const readable = isMarked ? items.filter((item) => !isUnreadable(item)) : items;
  if (readable.length < items.length) {
    const isRead = new Set(readable);
    for (const item of items) if (!isRead.has(item)) onUnreadable(parseUnreadable(item, request));
  }
  return {
    items: readable.map((item: unknown) => parseWithTypeMeta(kind, item, request)),
    resourceVersion: String(metadata['resourceVersion'] ?? ''),
    ...(typeof next === 'string' && next !== '' && { continue: next }),
  };
}

/** The object, with apiVersion and kind of the kind. */
export function parseWithTypeMeta<K extends Kind>(
  kind: K,
  value: unknown,
  request: string,
): Live<K> {
  const apiVersion = apiVersionOf(kind);
  if (isFields(value)) {
    if (value['apiVersion'] !== apiVersion) value['apiVersion'] = apiVersion;
    if (value['kind'] !== kind.kind) value['kind'] = kind.kind;
  }
  return parseObject(kind, value, request);
}

/**
 * Whether an object that was read with marks has one, other than in its managedFields. Those are as deep as the fields
 * that they name; no reader of lists and watches needs them, and they are left out.
 */
export function isUnreadable(value: unknown): boolean {
  if (!isFields(value)) return isTooDeep(value);
  const { metadata } = value;
  if (isFields(metadata) && isTooDeep(metadata['managedFields'])) delete metadata['managedFields'];
  return isTooDeep(value);
}

/** @throws {Malformed} */
export function parseUnreadable(value: unknown, request: string): UnreadableObject {
  const { metadata } = parseObject({} as Kind, value, request);
  if (isTooDeep(metadata)) throw new Malformed('an object with metadata', { request });
  return { metadata, error: new TooDeep(request) };
}

/** A value as `Malformed` quotes it. */
function formatValue(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  );
}
