import { Malformed } from '../errors/malformed.ts';
import { apiVersionOf, type Kind, type Live } from '../kinds/kind.ts';
import type { List } from './client.ts';

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
export function objectOf<K extends Kind>(_kind: K, value: unknown, request: string): Live<K> {
  if (isObject<K>(value)) return value;
  throw new Malformed('an object with metadata', { request, text: shown(value) });
}

function isObject<K extends Kind>(value: unknown): value is Live<K> {
  return isFields(value) && isFields(value['metadata']);
}

/**
 * What waits, by the answer to a deletion. What is gone is answered with a Status, or, of some kinds, with
 * the object as it was: without a deletionTimestamp, or, of a pod whose time to end was over, with one and
 * nothing that it could wait for.
 */
export function waitingOf<K extends Kind>(_kind: K, value: unknown): Live<K> | undefined {
  if (!isObject<K>(value)) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = value.metadata;
  const isOver = deletionGracePeriodSeconds === 0 && finalizers.length === 0;
  return deletionTimestamp === undefined || isOver ? undefined : value;
}

/**
 * One page of objects of the kind. Items of Kubernetes' own kinds come without apiVersion and kind,
 * and such with metadata only as PartialObjectMetadata: they get those of the kind.
 * @throws {Malformed}
 */
export function listOf<K extends Kind>(kind: K, value: unknown, request: string): List<K> {
  const metadata = isFields(value) ? value['metadata'] : undefined;
  const items = isFields(value) ? (value['items'] ?? []) : undefined;
  if (!isFields(metadata) || !Array.isArray(items)) {
    throw new Malformed('a list', { request, text: shown(value) });
  }
  const next = metadata['continue'];
  return {
    items: items.map((item: unknown) => named(kind, item, request)),
    resourceVersion: String(metadata['resourceVersion'] ?? ''),
    ...(typeof next === 'string' && next !== '' && { continue: next }),
  };
}

/** The object, with apiVersion and kind of the kind. */
export function named<K extends Kind>(kind: K, value: unknown, request: string): Live<K> {
  const apiVersion = apiVersionOf(kind);
  if (isFields(value)) {
    if (value['apiVersion'] !== apiVersion) value['apiVersion'] = apiVersion;
    if (value['kind'] !== kind.kind) value['kind'] = kind.kind;
  }
  return objectOf(kind, value, request);
}

/** A value as `Malformed` quotes it. */
function shown(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  );
}
