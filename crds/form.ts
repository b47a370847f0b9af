import { isMapping } from '@tenantry/kube/mapping';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { NoSample, sampleValue } from '@tenantry/crd/schema/sample';
import { validate } from '@tenantry/crd/schema/validate';

/** The longest example in a message. */
const MAX_SHOWN = 100;

/**
 * Returns the form to write in place of a value whose form is wrong: a text for a mapping, a mapping for a list. It is
 * the value itself in a form that the schema accepts, or else an example derived from the schema. Returns undefined if
 * the form is right, and if there is no short example.
 */
export function adviseForm(got: unknown, expected: JSONSchemaProps): string | undefined {
  const { type } = expected;
  if (got === null || (type !== 'object' && type !== 'array' && type !== 'string'))
    return undefined;
  if (formOf(got) === type) return undefined;
  if (type === 'string' && typeof got !== 'object') return undefined;
  const meant = findMeant(got, expected, 3);
  if (meant) return fits(meant.isOneOfSeveral ? 'such as' : 'write', format(meant.value));
  const example = findExample(expected);
  return example === undefined ? undefined : fits('such as', format(example));
}

/** Returns the form of an item of a list whose items have a key, if the value is one: `{ name: a }`. */
export function adviseItem(
  got: string,
  { properties = {} }: JSONSchemaProps,
  key: string,
): string | undefined {
  const schema = properties[key];
  const isKey = schema !== undefined && validate(schema, got).length === 0;
  return isKey ? fits('write', format({ [key]: got })) : undefined;
}

function fits(word: string, text: string): string | undefined {
  return text.length > MAX_SHOWN ? undefined : `${word} ${text}`;
}

function formOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return isMapping(value) ? 'object' : 'string';
}

/** A value that was found. */
interface Meant {
  readonly value: unknown;
  /** Whether other fields accept the value too. */
  readonly isOneOfSeveral?: boolean;
}

/**
 * Returns the value in the form of the schema: in a list, under the first field that accepts it, or taken out of its
 * list or mapping. A value with several ways in is not guessed deeper than necessary.
 * @param depth how many lists and mappings may be put around the value
 */
function findMeant(got: unknown, expected: JSONSchemaProps, depth: number): Meant | undefined {
  if (validate(expected, got).length === 0) return { value: got };
  if (depth === 0) return undefined;
  if (expected.type === 'array') return findMeantList(got, expected, depth);
  if (expected.type === 'object') return findMeantMapping(got, expected, depth);
  return findMeantText(got, expected);
}

function findMeantList(
  got: unknown,
  { items, ...list }: JSONSchemaProps,
  depth: number,
): Meant | undefined {
  const one = items as JSONSchemaProps | undefined;
  if (!one) return undefined;
  if (Array.isArray(got)) {
    const found = got.map((each) => findMeant(each, one, depth - 1));
    const isWhole = found.length > 0 && found.every((each) => each !== undefined);
    return isWhole ? { value: found.map(({ value }) => value) } : undefined;
  }
  const [key] = list['x-kubernetes-list-map-keys'] ?? [];
  if (isMapping(got) && key !== undefined && !Object.hasOwn(got, key)) {
    const entries = Object.entries(got).filter(([, each]) => each === null || isMapping(each));
    const value = entries.map(([name, each]) => ({ [key]: name, ...(each as object | null) }));
    const isWhole = entries.length > 0 && entries.length === Object.keys(got).length;
    return isWhole && validate(one, value[0]).length === 0 ? { value } : undefined;
  }
  const item = findMeant(got, one, depth - 1);
  return item && { ...item, value: [item.value] };
}

function findMeantMapping(
  got: unknown,
  expected: JSONSchemaProps,
  depth: number,
): Meant | undefined {
  if (isMapping(got)) return undefined;
  const fields = Object.entries(expected.properties ?? {});
  for (const inner of [0, depth - 1]) {
    const found = fields.flatMap(([name, schema]) => {
      const meant = findMeant(got, schema, inner);
      const value = { [name]: meant?.value };
      const isFitting = meant && validate(expected, value).every(({ rule }) => rule === 'required');
      return isFitting ? [value] : [];
    });
    if (found[0] !== undefined) return { value: found[0], isOneOfSeveral: found.length > 1 };
  }
  return undefined;
}

function findMeantText(got: unknown, expected: JSONSchemaProps): Meant | undefined {
  if (typeof got !== 'object' || got === null) return undefined;
  const inside = Object.values(got);
  return inside.length === 1 && validate(expected, inside[0]).length === 0
    ? { value: inside[0] }
    : undefined;
}

/** Returns a short valid value: the required fields of a mapping, or else its first one. */
function findExample(expected: JSONSchemaProps): unknown {
  const { type, items, properties = {}, required = [], additionalProperties } = expected;
  try {
    if (expected.example !== undefined && validate(expected, expected.example).length === 0) {
      return expected.example;
    }
    if (type === 'array') return [findExample(items as JSONSchemaProps)];
    if (type !== 'object') return sampleValue(expected);
    const [first] = Object.keys(properties);
    if (first === undefined && isMapping(additionalProperties)) {
      return { key: sampleValue(additionalProperties as JSONSchemaProps) };
    }
    if (first === undefined) return undefined;
    return required.length > 0
      ? sampleValue(expected)
      : { [first]: findExample(properties[first]!) ?? sampleValue(properties[first]!) };
  } catch (error) {
    if (error instanceof NoSample) return undefined;
    throw error;
  }
}

/** Matches texts that YAML reads as they are, also inside brackets. */
const PLAIN = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[A-Za-z][\w.@/-]*$/i;

/** Formats a value as YAML on one line: `{ name: a, groups: ['x:y'] }`. */
function format(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(format).join(', ')}]`;
  if (isMapping(value)) {
    const entries = Object.entries(value).map(([key, inner]) => `${format(key)}: ${format(inner)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value !== 'string' || PLAIN.test(value)) return String(value);
  return /^[ -~]*$/.test(value) ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}
