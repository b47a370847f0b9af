/**
 * Reads the metadata of an object as the API server decodes it into its own type and encodes it again: it refuses
 * fields of wrong types, drops unknown ones, and leaves out empty ones.
 *
 * Source: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/
 */
import { errorAt, type Finding } from '@tenantry/kube/finding';
import { show, type Path } from '@tenantry/kube/problem';
import { formatTime, parseTime } from '@tenantry/kube/time';
import { setField } from './defaulting.ts';
import { isNumeric } from '../validator/equality.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { toServerNumber } from '../validator/numbers.ts';

interface ReadMetadata {
  /** The stored value; empty if it cannot be read. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly unknown: readonly Path[];
  readonly errors: readonly Finding[];
}

type Reader = (value: unknown, path: Path, reading: Reading) => unknown;

interface Reading {
  readonly unknown: Path[];
  readonly errors: Finding[];
}

export function readMetadata(value: unknown, path: Path): ReadMetadata {
  const reading: Reading = { unknown: [], errors: [] };
  const read = metadata(value, path, reading) ?? {};
  return { value: read as Record<string, unknown>, ...reading };
}

const scalar =
  (must: string, read: (value: unknown) => unknown): Reader =>
  (value, path, { errors }) => {
    const result = value === null ? undefined : read(value);
    if (result === undefined && value !== null) {
      errors.push(errorAt(path, `must be ${must}, got ${show(value)}`, 'type'));
    }
    return result;
  };

const text = scalar('a string', (value) => (typeof value === 'string' ? value : undefined));
const flag = scalar('true or false', (value) => (typeof value === 'boolean' ? value : undefined));
const whole = scalar('a whole number', (value) =>
  isNumeric(value) && typeof toServerNumber(value) === 'bigint' ? value : undefined,
);
const time = scalar("a time such as '2026-01-31T12:00:00Z'", (value) =>
  typeof value === 'string' ? timeOf(value) : undefined,
);
const anyMapping = scalar('a mapping', (value) => (isMapping(value) ? value : undefined));

/** Normalizes a time to seconds, in UTC. */
function timeOf(value: string): string | undefined {
  const time = parseTime(value);
  if (!time?.isZoned) return undefined;
  const milliseconds = Number(time.nanos / 1_000_000n);
  return formatTime(new Date(milliseconds));
}

const listOf =
  (item: Reader, empty?: unknown): Reader =>
  (value, path, reading) => {
    if (value === null) return undefined;
    if (Array.isArray(value)) {
      return value.map((one, i) => item(one, [...path, i], reading) ?? empty);
    }
    reading.errors.push(errorAt(path, `must be a list, got ${show(value)}`, 'type'));
    return undefined;
  };

const mapOf =
  (entry: Reader): Reader =>
  (value, path, reading) => {
    if (value === null) return undefined;
    if (!isMapping(value)) return wrongMapping(value, path, reading);
    const read = {};
    for (const [key, one] of Object.entries(value)) {
      setField(read, key, entry(one, [...path, key], reading) ?? '');
    }
    return read;
  };

function wrongMapping(value: unknown, path: Path, { errors }: Reading): undefined {
  errors.push(errorAt(path, `must be a mapping, got ${show(value)}`, 'type'));
}

/** `always` are the fields that are written out even when they are empty. */
const fieldsOf =
  (readers: Readonly<Record<string, Reader>>, always: readonly string[] = []): Reader =>
  (value, path, reading) => {
    if (value === null) return undefined;
    if (!isMapping(value)) return wrongMapping(value, path, reading);
    const read: Record<string, unknown> = {};
    for (const [key, one] of Object.entries(value)) {
      const at = [...path, key];
      if (!Object.hasOwn(readers, key)) reading.unknown.push(at);
      else {
        const field = readers[key]!(one, at, reading);
        if (!isEmpty(field)) read[key] = field;
      }
    }
    for (const key of always) read[key] ??= '';
    return read;
  };

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

const OWNER = ['apiVersion', 'kind', 'name', 'uid'];
const owner = fieldsOf(
  {
    apiVersion: text,
    kind: text,
    name: text,
    uid: text,
    controller: flag,
    blockOwnerDeletion: flag,
  },
  OWNER,
);

const managed = fieldsOf({
  manager: text,
  operation: text,
  apiVersion: text,
  time,
  fieldsType: text,
  fieldsV1: anyMapping,
  subresource: text,
});

const noOwner = Object.fromEntries(OWNER.map((key) => [key, '']));

const metadata = fieldsOf({
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: text,
  resourceVersion: text,
  generation: (value, path, reading) => whole(value, path, reading) || undefined,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: whole,
  labels: mapOf(text),
  annotations: mapOf(text),
  ownerReferences: listOf(owner, noOwner),
  finalizers: listOf(text, ''),
  managedFields: listOf(managed, {}),
});
