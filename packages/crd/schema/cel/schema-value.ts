import { celName } from '../language/cel-rules.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { Failure } from './failure.ts';
import {
  type JsonReader,
  createSchemaList,
  ObjectValue,
  SchemaMap,
  UnknownValue,
  type Field,
  type Shape,
} from './schema-collections.ts';
import { visibleProperties } from './schema-type.ts';
import { parseDate, parseLongDuration, parseTimestamp } from './functions/times.ts';
import { Timestamp, type Value } from './value.ts';

const readers = new WeakMap<JSONSchemaProps, JsonReader>();

/**
 * Returns the reader that converts JSON to CEL values by a schema, as the API server does. It is created once for each
 * schema. Parts are read when an expression accesses them.
 */
export function getReader(schema: JSONSchemaProps): JsonReader {
  let read = readers.get(schema);
  if (!read) readers.set(schema, (read = makeReader(schema, false)));
  return read;
}

/** Returns the same reader for the root of a custom resource. */
export function createRootReader(schema: JSONSchemaProps): JsonReader {
  return makeReader(schema, true);
}

function makeReader(schema: JSONSchemaProps, isRoot: boolean): JsonReader {
  const read = readerOfType(schema, isRoot);
  return (raw) => {
    if (raw !== null && raw !== undefined) return read(raw);
    if (schema.nullable) return null;
    throw new Failure('invalid data, got null for schema with nullable=false');
  };
}

function readerOfType(schema: JSONSchemaProps, isRoot: boolean): JsonReader {
  if (schema['x-kubernetes-int-or-string']) {
    return (raw) => (typeof raw === 'string' ? raw : readInteger(raw));
  }
  switch (schema.type) {
    case 'object':
      return objectReader(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true);
    case 'array': {
      const { items } = schema;
      if (!items) return () => fail('an array whose schema has items');
      return (raw) =>
        Array.isArray(raw) ? createSchemaList(schema, raw, getReader(items)) : fail('an array');
    }
    case 'string':
      return formats[schema.format ?? ''] ?? readString;
    case 'number':
      return (raw) =>
        typeof raw === 'number' || typeof raw === 'bigint' ? Number(raw) : fail('a number');
    case 'integer':
      return readInteger;
    case 'boolean':
      return (raw) => (typeof raw === 'boolean' ? raw : fail('true or false'));
    default:
      return (raw) => new UnknownValue(raw);
  }
}

function fail(wanted: string): never {
  throw new Failure(`invalid data, expected ${wanted}`);
}

const readString: JsonReader = (raw) => (typeof raw === 'string' ? raw : fail('a string'));

/** Reads an integer. A whole number in JSON is exact up to 2^53; a larger one must be a bigint. */
const readInteger: JsonReader = (raw) => {
  if (typeof raw === 'bigint') return raw;
  return Number.isInteger(raw) ? BigInt(raw as number) : fail('a whole number');
};

function readText(parse: (text: string) => Value | undefined, what: string): JsonReader {
  return (raw) => {
    if (typeof raw !== 'string') return fail('a string');
    const value = parse(raw);
    if (value === undefined) throw new Failure(`Invalid ${what} formatted string ${raw}`);
    return value;
  };
}

const formats: Readonly<Record<string, JsonReader | undefined>> = {
  byte: readText(decodeBase64, 'byte'),
  duration: readText(parseLongDuration, 'duration'),
  date: readText(parseDate, 'date'),
  'date-time': readText(
    (text) => (text === '' ? new Timestamp(0n) : parseTimestamp(text, { zoned: false })),
    'date-time',
  ),
};

/** Decodes base64 with the URL alphabet, which is the one that the API server uses. */
function decodeBase64(text: string): Uint8Array | undefined {
  const plain = text.replaceAll(/[\r\n]/g, '');
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9_-]*={0,2}$/.test(plain)) return undefined;
  const binary = atob(plain.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

function objectReader(schema: JSONSchemaProps, isResource: boolean): JsonReader {
  const properties = visibleProperties(schema, isResource);
  const { additionalProperties: values } = schema;
  const isMap = (raw: unknown): raw is Record<string, unknown> =>
    typeof raw === 'object' && raw !== null && !Array.isArray(raw) && isPlain(raw);
  if (!properties && typeof values === 'object') {
    return (raw) => (isMap(raw) ? new SchemaMap(raw, getReader(values)) : fail('a map'));
  }
  const shape = createShape(properties ?? {});
  return (raw) => (isMap(raw) ? new ObjectValue(raw, shape) : fail('a map'));
}

/**
 * Whether an object is plain JSON, not a value that an expression computed. Code that runs in its own context, as in
 * jest, has its own `Object`.
 */
function isPlain(raw: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(raw);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function createShape(properties: Readonly<Record<string, JSONSchemaProps>>): Shape {
  const fields = Object.entries(properties).flatMap(([property, schema]): Field[] => {
    const name = celName(property);
    if (name === undefined) return [];
    return [{ name, property, read: (raw) => getReader(schema)(raw) }];
  });
  return {
    // A name that CEL reserves is also reachable by its escaped form.
    byName: new Map([
      ...fields
        .filter((field) => isKeptWord(field))
        .map((field) => [field.property, field] as const),
      ...fields.map((field) => [field.name, field] as const),
    ]),
    byProperty: new Map(fields.map((field) => [field.property, field])),
  };
}

const isKeptWord = ({ name, property }: Field): boolean => name === `__${property}__`;
