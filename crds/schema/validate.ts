import { nearest, show, type Path } from '../problem.ts';
import type { SchemaNode } from './schema.ts';

/** One mismatch between a value and its schema. */
export interface Mismatch {
  readonly path: Path;
  /** The mismatch is about the last key of the path itself, not about its value. */
  readonly atKey?: true;
  readonly message: string;
}

/**
 * Every mismatch between a value and its schema, in the order of the document: what the API server
 * refuses under strict field validation, told by path. A CEL rule is asked only where the value
 * around it is well-formed. Never throws, whatever the value.
 */
export function validate(schema: SchemaNode, value: unknown, path: Path = []): Mismatch[] {
  const found: Mismatch[] = [];
  visit(schema, value, path, found);
  return found;
}

function visit(schema: SchemaNode, value: unknown, path: Path, found: Mismatch[]): void {
  const before = found.length;
  const wrong = (): void => {
    found.push({ path, message: `must be ${must(schema)}, got ${show(value)}` });
  };
  if (schema.intOrString) {
    // As the API server does: the pattern is asked of strings, the bounds of numbers.
    if (typeof value === 'string' ? !stringFits(schema, value) : !isInteger(schema, value)) {
      return wrong();
    }
  } else {
    switch (schema.type) {
      case 'string':
        if (typeof value !== 'string' || !stringFits(schema, value)) return wrong();
        break;
      case 'integer':
      case 'number':
        if (!numberFits(schema, value)) return wrong();
        break;
      case 'boolean':
        if (typeof value !== 'boolean') return wrong();
        break;
      case 'array':
        if (!Array.isArray(value)) return wrong();
        visitList(schema, value, path, found);
        break;
      case 'object':
        if (!isMapping(value)) return wrong();
        visitObject(schema, value, path, found);
        break;
      default:
    }
  }
  if (found.length > before) return;
  for (const rule of schema.rules ?? []) {
    if (!rule.check(value as never)) {
      const got = typeof value === 'object' ? '' : `, got ${show(value)}`;
      found.push({ path, message: rule.message + got });
    }
  }
}

function visitList(schema: SchemaNode, value: unknown[], path: Path, found: Mismatch[]): void {
  const { minItems = 0, maxItems = Infinity, listMapKeys, listType } = schema;
  if (value.length < minItems || value.length > maxItems) {
    const bounds = maxItems === Infinity ? `at least ${minItems}` : `${minItems} to ${maxItems}`;
    found.push({ path, message: `must have ${bounds} items, got ${value.length}` });
    return;
  }
  if (schema.items) {
    for (let i = 0; i < value.length; i += 1) visit(schema.items, value[i], [...path, i], found);
  }
  if (listType === 'atomic' || listType === undefined) return;
  const seen = new Map<string, number>();
  value.forEach((item, i) => {
    const parts = listMapKeys?.map((key) => (isMapping(item) ? item[key] : undefined)) ?? [item];
    if (parts.some((part) => part === undefined || typeof part === 'object')) return;
    const key = JSON.stringify(parts);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, i);
    else {
      const where = listMapKeys ? [...path, i, listMapKeys[0]!] : [...path, i];
      found.push({
        path: where,
        message: `must be unique in the list, got ${show(parts[0])} again (first at [${first}])`,
      });
    }
  });
}

function visitObject(
  schema: SchemaNode,
  value: Record<string, unknown>,
  path: Path,
  found: Mismatch[],
): void {
  const { properties, additionalProperties, minProperties = 0, maxProperties = Infinity } = schema;
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) {
      const field = properties?.[name];
      found.push({ path: [...path, name], message: `must be ${must(field ?? {})}, got nothing` });
    }
  }
  const keys = Object.keys(value);
  if (keys.length > maxProperties || keys.length < minProperties) {
    const bounds = `${minProperties} to ${maxProperties}`;
    found.push({ path, message: `must have ${bounds} entries, got ${keys.length}` });
    return;
  }
  for (const key of keys) {
    const field =
      properties && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (field) visit(field, value[key], [...path, key], found);
    else if (!schema.preserveUnknownFields) {
      found.push({ path: [...path, key], atKey: true, message: unknownField(schema, key) });
    }
  }
}

function unknownField(schema: SchemaNode, key: string): string {
  const known = Object.keys(schema.properties ?? {});
  const meant = nearest(key, known);
  const hint = meant ? `did you mean ${show(meant)}?` : `known: ${known.join(', ')}`;
  return `must be a known field, got ${show(key)}; ${hint}`;
}

function stringFits(schema: SchemaNode, value: string): boolean {
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.minLength !== undefined && value.length < schema.minLength) return false;
  if (schema.maxLength !== undefined && value.length > schema.maxLength) {
    // The API server counts code points, and UTF-16 units are never fewer.
    if ([...value].length > schema.maxLength) return false;
  }
  return schema.pattern === undefined || matches(schema.pattern, value);
}

function isInteger(schema: SchemaNode, value: unknown): boolean {
  return Number.isSafeInteger(value) && numberFits(schema, value);
}

function numberFits(schema: SchemaNode, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (schema.type === 'integer' && !Number.isSafeInteger(value)) return false;
  if (schema.format === 'int32' && Math.abs(value) > 2147483647) return false;
  return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity);
}

const compiled = new Map<string, RegExp>();

function matches(pattern: string, value: string): boolean {
  let regex = compiled.get(pattern);
  if (!regex) compiled.set(pattern, (regex = new RegExp(pattern, 'u')));
  return regex.test(value);
}

function must(schema: SchemaNode): string {
  if (schema.must !== undefined) return schema.must;
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.intOrString) return 'a whole number or a string';
  const bounds = [
    schema.minimum === undefined ? '' : `of at least ${schema.minimum}`,
    schema.maximum === undefined ? '' : `of at most ${schema.maximum}`,
    schema.minLength ? `of at least ${schema.minLength} characters` : '',
    schema.maxLength === undefined ? '' : `of at most ${schema.maxLength} characters`,
  ].filter(Boolean);
  return [nouns[schema.type ?? 'object'], ...bounds].join(' ');
}

const nouns = {
  object: 'a mapping',
  array: 'a list',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
} as const;

/** A plain mapping, as YAML and JSON give it. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
