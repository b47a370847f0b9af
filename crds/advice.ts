import type { Finding } from '@tenantry/kube/finding';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import { isSecret } from '@tenantry/kube/secret';
import { explainPair } from '@tenantry/kube/yaml/read';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { validate } from '@tenantry/crd/schema/validate';
import { adviseForm, adviseItem } from './form.ts';

/**
 * Adds advice to the errors of a value against the schema of one of our kinds: what to write, if YAML read something
 * other than what was meant, or if the value has the form of another field. Wrong values in a list of mappings are one
 * error for the whole list.
 */
export function addAdvice(
  errors: readonly Finding[],
  value: unknown,
  schema: JSONSchemaProps,
): Finding[] {
  const reportedLists = new Set<string>();
  return errors.flatMap((error) => {
    const got = valueAt(value, error.path);
    const expected = schemaAt(schema, error.path);
    const list = error.path.slice(0, -1);
    const isItem = typeof error.path.at(-1) === 'number' && expected !== undefined;
    if (isItem && hasOtherForm(got, expected)) {
      if (reportedLists.has(list.join('\0'))) return [];
      reportedLists.add(list.join('\0'));
    }
    if (isSecret(error.path) || !expected || error.rule === 'required') return [error];
    const [key] = isItem ? listKeys(schemaAt(schema, list)) : [];
    const advice = adviseNotation(got, expected) ?? adviseMissing(got, expected, key);
    return [advice === undefined ? error : { ...error, message: `${error.message}; ${advice}` }];
  });
}

/** Whether a value is no mapping where a mapping is due, or the other way round. */
function hasOtherForm(got: unknown, { type }: JSONSchemaProps): boolean {
  return type === 'object' ? typeof got !== 'object' : type === 'string' && isMapping(got);
}

/** Returns what to write if only the notation of a value is wrong, such as quotes. */
function adviseNotation(got: unknown, expected: JSONSchemaProps): string | undefined {
  if (typeof got === 'string') return adviseWithoutQuotes(got, expected);
  const isIntOrString = expected['x-kubernetes-int-or-string'] === true;
  if (expected.type !== 'string' && !isIntOrString) return undefined;
  if (typeof got === 'boolean') {
    return 'YAML reads y, n, yes, no, on and off as true and false: write a text in quotes';
  }
  if (typeof got !== 'number') return undefined;
  return expected.type === 'string'
    ? `YAML reads it as a number: write it in quotes, as it is meant`
    : fractionAdvice(got);
}

/** The API server accepts a fraction as a quantity only if it is a string. */
function fractionAdvice(got: number): string | undefined {
  if (Number.isInteger(got) || got < 0) return undefined;
  const milli = Math.round(got * 1000);
  const isMilli = Math.abs(milli - got * 1000) < 1e-9;
  return `write it in quotes, '${got}'${isMilli ? `, or as '${milli}m'` : ''}`;
}

/** The numbers and booleans of YAML that people also write in quotes. */
const UNQUOTED: Readonly<Record<string, boolean>> = { true: true, false: false };

function adviseWithoutQuotes(got: string, expected: JSONSchemaProps): string | undefined {
  const value = UNQUOTED[got] ?? (/^-?\d{1,15}(?:\.\d{1,9})?$/.test(got) ? Number(got) : undefined);
  if (value === undefined || validate(expected, value).length > 0) return undefined;
  return `write ${value} without quotes`;
}

/**
 * Returns what to write if a character or a key is missing.
 * @param listKey the key of the items, if the value is an item of a list
 */
function adviseMissing(
  got: unknown,
  expected: JSONSchemaProps,
  listKey: string | undefined,
): string | undefined {
  const { type, properties = {} } = expected;
  if (type === 'object' && typeof got === 'string') {
    const [, field] = /^(\w+)[:\s]/.exec(got) ?? [];
    const pair = field !== undefined && field in properties ? explainPair(got) : undefined;
    if (pair !== undefined) return pair;
  }
  if (type === 'array' && isListWithoutSpaces(got))
    return "write a space after each '-' of the list";
  const isItem = listKey !== undefined && type === 'object' && typeof got !== 'object';
  return isItem ? adviseItem(String(got), expected, listKey) : adviseForm(got, expected);
}

/** Whether a value is what YAML reads from a list whose dashes are followed by no space. */
function isListWithoutSpaces(got: unknown): boolean {
  if (typeof got === 'string') return /^-[^\s-]/.test(got);
  const keys = isMapping(got) ? Object.keys(got) : [];
  return keys[0]?.startsWith('-') === true;
}

function listKeys(schema: JSONSchemaProps | undefined): readonly string[] {
  return schema?.['x-kubernetes-list-map-keys'] ?? [];
}

function schemaAt(schema: JSONSchemaProps, path: Path): JSONSchemaProps | undefined {
  let at: JSONSchemaProps | undefined = schema;
  for (const part of path) {
    const { items, properties, additionalProperties }: JSONSchemaProps = at;
    const inner: unknown =
      typeof part === 'number' ? items : (properties?.[part] ?? additionalProperties);
    if (!isMapping(inner)) return undefined;
    at = inner;
  }
  return at;
}
