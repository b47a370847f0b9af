import { enforcedFormat } from '../format.ts';
import type { JSONSchemaProps } from '../jsonschema.ts';
import { combinatorsOf } from './combinators.ts';
import { isNumeric, isOneOf } from './equality.ts';
import { isUniqueList } from './lists.ts';
import { isNumberOf, wholeRange } from './numbers.ts';
import { objectCheck } from './fields.ts';
import { rulesOf } from './rules.ts';
import { stringCheck } from './strings.ts';
import { always, never } from './types.ts';
import type { Check, Extra, Kinds, Mode, Node } from './types.ts';

const cache = new WeakMap<JSONSchemaProps, Map<string, Node>>();

/**
 * The schema made ready, once for each object that is a schema: it must not be changed afterwards.
 * `embedded` says that the value is an object of Kubernetes, whose apiVersion, kind and metadata
 * are declared by that.
 */
export function nodeOf(schema: JSONSchemaProps, mode: Mode, embedded = false): Node {
  const known = cache.get(schema) ?? new Map<string, Node>();
  cache.set(schema, known);
  const key = `${mode} ${embedded}`;
  const node = known.get(key) ?? compileNode(schema, mode, embedded);
  known.set(key, node);
  return node;
}

/** Where the schema ends: scalars pass, and fields of objects are all unknown. */
const nothingDeclared: Node = {
  schema: {},
  accepts: hasNoFields,
  quick: hasNoFields,
  asked: 0,
  fits: always,
  kinds: {
    string: always,
    number: always,
    boolean: always,
    null: always,
    array: always,
    object: always,
    range: undefined,
  },
  fields: new Map(),
  extra: 'refused',
  get items() {
    return nothingDeclared;
  },
  combinators: undefined,
  rules: undefined,
};

const anything: Node = {
  ...nothingDeclared,
  accepts: always,
  quick: always,
  extra: 'kept',
  items: undefined,
};

function hasNoFields(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Array.isArray(value) ? value.every(hasNoFields) : Object.keys(value).length === 0;
}

function compileNode(schema: JSONSchemaProps, mode: Mode, embedded: boolean): Node {
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const inner = mode === 'open' ? 'open' : 'strict';
  const keeps = mode !== 'strict' || preserves;
  const isObject = embedded || schema['x-kubernetes-embedded-resource'] === true;
  const fields = new Map<string, Node>();
  if (isObject) for (const name of metaFields) fields.set(name, anything);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    fields.set(name, nodeOf(field, fields.has(name) ? 'open' : inner));
  }
  const { items, additionalProperties } = schema;
  const itemsMode = mode === 'strict' && preserves ? 'kept' : mode;
  const noItems = mode === 'strict' && !preserves ? nothingDeclared : undefined;
  const rules = mode === 'open' ? undefined : rulesOf(schema, embedded);
  const combinators = combinatorsOf(schema, (part) => nodeOf(part, 'open'));
  const { fits, ...kinds } = kindsOf(schema, combinators?.isIntOrString ?? false);
  const parts = {
    schema,
    kinds,
    fields,
    extra: extraOf(additionalProperties, inner, keeps),
    items: items ? nodeOf(items, itemsMode) : noItems,
    combinators,
    rules,
  };
  const lists = mode !== 'open';
  const node = { ...parts, fits, accepts: always, quick: always, asked: 0 };
  const list = kinds.array === never ? never : listCheck(schema, node, kinds.array, lists);
  const object = kinds.object === never ? never : objectCheck(schema, node, kinds.object);
  const within = byKind({ ...kinds, array: list, object });
  node.accepts = together(within, combinators?.accepts, rules && ((value) => rules.accepts(value)));
  node.quick = node.accepts;
  return node;
}

const metaFields = ['apiVersion', 'kind', 'metadata'];

function extraOf(
  additional: JSONSchemaProps['additionalProperties'],
  mode: Mode,
  keeps: boolean,
): Extra {
  if (typeof additional === 'object') return nodeOf(additional, mode);
  if (additional === false) return 'refused';
  if (additional === undefined) return keeps ? 'kept' : 'refused';
  return mode === 'open' ? 'kept' : nothingDeclared;
}

function kindsOf(schema: JSONSchemaProps, isStrictlyWhole: boolean): Kinds & { fits: Check } {
  const types = typesOf(schema);
  const format = enforcedFormat(schema);
  const any = types.length === 0 && format === '';
  // The API server looks at the type of a list or a string no further where there is a format.
  const loose = format !== '' && !types.includes('integer') && !types.includes('number');
  const values = schema.enum && schema.enum.length > 0 ? schema.enum : undefined;
  const among = (is: boolean): Check => {
    if (!is) return never;
    return values ? (value) => isOneOf(values, value) : always;
  };
  const range = wholeRange(schema, types, format);
  const number = numberCheck(schema, isStrictlyWhole ? ['integer'] : types, types, format, range);
  const kinds = {
    range: values ? undefined : range,
    string: any || loose || types.includes('string') ? stringCheck(schema, format) : never,
    number: values ? together(number, among(true)) : number,
    boolean: among(any || types.includes('boolean')),
    null: !values && (types.length === 0 || schema.nullable === true) ? always : never,
    array: among(any || loose || types.includes('array')),
    object: among(any || types.includes('object')),
  };
  return { ...kinds, fits: byKind(kinds) };
}

/** The types that a value may have, by the names of OpenAPI; empty for any. */
export function typesOf(schema: JSONSchemaProps): readonly string[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
}

function numberCheck(
  schema: JSONSchemaProps,
  wanted: readonly string[],
  types: readonly string[],
  format: string,
  range: Kinds['range'],
): Check {
  if (types.length > 0 && !types.some((type) => type === 'integer' || type === 'number')) {
    return never;
  }
  const exact: Check = (value) =>
    isNumeric(value) &&
    isNumberOf(schema, types, format, value) &&
    (wanted === types || isNumberOf({}, wanted, '', value));
  if (!range) return exact;
  const [least, most] = range;
  return (value) =>
    Number.isSafeInteger(value)
      ? (value as number) >= least && (value as number) <= most
      : exact(value);
}

/** Whether values of one kind alone may be valid. */
export function isOneKind(kinds: Kinds): boolean {
  const { range: _, ...checks } = kinds;
  return Object.values(checks).filter((check) => check !== never).length === 1;
}

function byKind(kinds: Kinds): Check {
  const { string, number, boolean, array, object } = kinds;
  const nothing = kinds.null === always;
  if (isOneKind(kinds)) {
    if (string !== never) return (value) => typeof value === 'string' && string(value);
    if (boolean === always) return (value) => typeof value === 'boolean';
    if (number !== never) return (value) => isNumeric(value) && number(value);
    if (object !== never) {
      return (value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value) && object(value);
    }
    if (array !== never) return (value) => Array.isArray(value) && array(value);
  }
  return (value) => {
    switch (typeof value) {
      case 'string':
        return string(value);
      case 'number':
      case 'bigint':
        return number(value);
      case 'boolean':
        return boolean(value);
      case 'object':
        if (value === null) return nothing;
        return Array.isArray(value) ? array(value) : object(value);
      default:
        return false;
    }
  };
}

function together(first: Check, second?: Check, third?: Check): Check {
  if (first === never || !second) return third ? together(first, third) : first;
  if (!third) return first === always ? second : (value) => first(value) && second(value);
  return (value) => first(value) && second(value) && third(value);
}

function listCheck(schema: JSONSchemaProps, node: Node, fits: Check, lists: boolean): Check {
  const { minItems = 0, maxItems = Infinity } = schema;
  const item = node.items?.accepts;
  const unique = lists ? isUniqueList(schema) : undefined;
  return (value) => {
    const list = value as readonly unknown[];
    const { length } = list;
    if (length < minItems || length > maxItems || !fits(list)) return false;
    if (item) for (let i = 0; i < length; i += 1) if (!item(list[i])) return false;
    return unique === undefined || unique(list);
  };
}
