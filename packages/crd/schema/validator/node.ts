import { enforcedFormat } from '../format.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { compileCombinators, compileNodeRules } from './combinators-and-rules.ts';
import { isNumeric, isOneOf, isUniqueList } from './equality.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { acceptsNumber, wholeRange } from './numbers.ts';
import { stringCheck } from './strings.ts';
import {
  always,
  never,
  type Check,
  type UndeclaredFields,
  type Kinds,
  type Mode,
  type SchemaNode,
} from './schema-node.ts';

const cache = new WeakMap<JSONSchemaProps, Map<string, SchemaNode>>();

/**
 * Returns the compiled node of a schema. Each schema object is compiled once and must not be changed afterwards.
 * `embedded` marks the value as a Kubernetes object, whose apiVersion, kind and metadata are then declared.
 */
export function getNode(schema: JSONSchemaProps, mode: Mode, embedded = false): SchemaNode {
  const known = cache.get(schema) ?? new Map<string, SchemaNode>();
  cache.set(schema, known);
  const key = `${mode} ${embedded}`;
  const node = known.get(key) ?? compileNode(schema, mode, embedded);
  known.set(key, node);
  return node;
}

/** The node below the last declared field: scalars are valid, and all fields of objects are unknown. */
const nothingDeclared: SchemaNode = {
  schema: {},
  accepts: hasNoFields,
  quick: hasNoFields,
  calls: 0,
  fits: always,
  kinds: {
    string: always,
    number: always,
    boolean: always,
    array: always,
    object: always,
    null: true,
    range: undefined,
  },
  fields: new Map(),
  extra: 'refused',
  get items() {
    return nothingDeclared;
  },
  isUnique: undefined,
  combinators: undefined,
  rules: undefined,
};

const anything: SchemaNode = {
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

function compileNode(schema: JSONSchemaProps, mode: Mode, embedded: boolean): SchemaNode {
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const inner = innerOf(mode);
  const keeps = mode !== 'strict' || preserves;
  const isObject = embedded || schema['x-kubernetes-embedded-resource'] === true;
  const fields = new Map<string, SchemaNode>();
  if (isObject) for (const name of metaFields) fields.set(name, anything);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isMeta = fields.has(name) || (mode === 'metadata' && names.has(name));
    fields.set(name, getNode(field, isMeta ? 'metadata' : inner));
  }
  const { items, additionalProperties } = schema;
  const itemsMode = mode === 'strict' && preserves ? 'kept' : mode;
  const noItems = mode === 'strict' && !preserves ? nothingDeclared : undefined;
  const rules =
    mode === 'open' || mode === 'labels' ? undefined : compileNodeRules(schema, embedded);
  const combinators = compileCombinators(schema, (part) => getNode(part, 'open'));
  const { fits, ...kinds } = compileKinds(schema, combinators?.isIntOrString ?? false);
  const parts = {
    schema,
    kinds,
    fields,
    extra: resolveUndeclaredFields(additionalProperties, inner, keeps),
    items: items ? getNode(items, itemsMode) : noItems,
    isUnique: mode === 'open' ? undefined : isUniqueList(schema),
    combinators,
    rules,
  };
  const node = { ...parts, fits, accepts: always, quick: always, calls: 0 };
  const list = kinds.array === never ? never : listCheck(schema, node, kinds.array);
  const object = kinds.object === never ? never : objectCheck(schema, node, kinds.object);
  const within = byKind({ ...kinds, array: list, object });
  node.accepts = together(within, combinators?.accepts, rules?.accepts);
  node.quick = node.accepts;
  return node;
}

const metaFields = ['apiVersion', 'kind', 'metadata'];

/** The metadata fields that rules can see. */
const names = new Set(['name', 'generateName']);

/** Returns the mode of the values within. */
function innerOf(mode: Mode): Mode {
  if (mode === 'metadata') return 'labels';
  return mode === 'kept' ? 'strict' : mode;
}

function resolveUndeclaredFields(
  additional: JSONSchemaProps['additionalProperties'],
  mode: Mode,
  keeps: boolean,
): UndeclaredFields {
  if (typeof additional === 'object') return getNode(additional, mode);
  if (additional === false) return 'refused';
  if (additional === undefined) return keeps ? 'kept' : 'refused';
  return mode === 'strict' ? nothingDeclared : 'kept';
}

function compileKinds(schema: JSONSchemaProps, isStrictlyWhole: boolean): Kinds & { fits: Check } {
  const types = listTypes(schema);
  const format = enforcedFormat(schema);
  const any = types.length === 0 && format === '';
  // With a format, the API server does not check the type of a list or a string further.
  const loose = format !== '' && !types.includes('integer') && !types.includes('number');
  const values = schema.enum && schema.enum.length > 0 ? schema.enum : undefined;
  const among = (is: boolean): Check => {
    if (!is) return never;
    return values ? (value) => isOneOf(values, value) : always;
  };
  const range = wholeRange(schema, types, format);
  const number = numberCheck(schema, types, format, isStrictlyWhole, range);
  const kinds = {
    range: values ? undefined : range,
    string: any || loose || types.includes('string') ? stringCheck(schema, format) : never,
    number: values ? together(number, among(true)) : number,
    boolean: among(any || types.includes('boolean')),
    array: among(any || loose || types.includes('array')),
    object: among(any || types.includes('object')),
    null: !values && (types.length === 0 || schema.nullable === true),
  };
  return { ...kinds, fits: byKind(kinds) };
}

/** Returns the types that a value may have, by their OpenAPI names; empty for any type. */
export function listTypes(schema: JSONSchemaProps): readonly string[] {
  if (schema['x-kubernetes-int-or-string']) return ['integer', 'string'];
  return schema.type === undefined || schema.type === '' ? [] : [schema.type];
}

function numberCheck(
  schema: JSONSchemaProps,
  types: readonly string[],
  format: string,
  isStrictlyWhole: boolean,
  range: Kinds['range'],
): Kinds['number'] {
  if (types.length > 0 && !types.some((type) => type === 'integer' || type === 'number')) {
    return never;
  }
  const exact: Kinds['number'] = (value, undetermined) =>
    acceptsNumber(schema, types, format, value, undetermined) &&
    (!isStrictlyWhole || acceptsNumber({}, ['integer'], '', value, undetermined));
  if (!range) return exact;
  const [least, most] = range;
  return (value, undetermined) =>
    Number.isSafeInteger(value) ? value >= least && value <= most : exact(value, undetermined);
}

const kindNames = ['string', 'number', 'boolean', 'array', 'object'] as const;

/** Returns the only kind of valid values, apart from null; undefined if there are several. */
export function onlyKind(kinds: Kinds): (typeof kindNames)[number] | undefined {
  const possible = kindNames.filter((name) => kinds[name] !== never);
  return possible.length === 1 ? possible[0] : undefined;
}

function byKind(kinds: Kinds): Check {
  return (kinds.null ? undefined : byOneKind(kinds)) ?? byAnyKind(kinds);
}

/** Returns the check of that kind; undefined if values of several kinds may be valid. */
function byOneKind(kinds: Kinds): Check | undefined {
  const { string, number, boolean, array, object } = kinds;
  switch (onlyKind(kinds)) {
    case 'string':
      return (value, undetermined) => typeof value === 'string' && string(value, undetermined);
    case 'number':
      return (value, undetermined) => isNumeric(value) && number(value, undetermined);
    case 'boolean':
      return (value, undetermined) => typeof value === 'boolean' && boolean(value, undetermined);
    case 'array':
      return (value, undetermined) => Array.isArray(value) && array(value, undetermined);
    case 'object':
      return (value, undetermined) => isMapping(value) && object(value, undetermined);
    default:
      return undefined;
  }
}

function byAnyKind({ string, number, boolean, array, object, null: nothing }: Kinds): Check {
  return (value, undetermined) => {
    switch (typeof value) {
      case 'string':
        return string(value, undetermined);
      case 'number':
      case 'bigint':
        return number(value, undetermined);
      case 'boolean':
        return boolean(value, undetermined);
      default:
        if (value === null) return nothing;
        if (Array.isArray(value)) return array(value, undetermined);
        return isMapping(value) && object(value, undetermined);
    }
  };
}

function together<T>(first: Check<T>, second?: Check<T>, third?: Check<T>): Check<T> {
  if (first === never || !second) return third ? together(first, third) : first;
  if (third) return together(together(first, second), third);
  if (first === always) return second;
  return (value, undetermined) => first(value, undetermined) && second(value, undetermined);
}

function listCheck(
  schema: JSONSchemaProps,
  node: SchemaNode,
  fits: Kinds['array'],
): Kinds['array'] {
  const { minItems = 0, maxItems = Infinity } = schema;
  const item = node.items?.accepts;
  const { isUnique } = node;
  return (list, undetermined) => {
    const { length } = list;
    if (length < minItems || length > maxItems || !fits(list, undetermined)) return false;
    if (item) for (let i = 0; i < length; i += 1) if (!item(list[i], undetermined)) return false;
    return isUnique === undefined || isUnique(list);
  };
}

/** Builds the check of an object's fields: their values, the required fields, and their number. */
function objectCheck(
  schema: JSONSchemaProps,
  node: SchemaNode,
  fits: Kinds['object'],
): Kinds['object'] {
  const { minProperties = 0, maxProperties = Infinity, required = [] } = schema;
  const fields = new Map<string, Check>();
  for (const [name, { accepts }] of node.fields) fields.set(name, accepts);
  const { extra } = node;
  const accepted = typeof extra === 'object' ? extra.accepts : undefined;
  const refused = extra === 'refused';

  return (object, undetermined) => {
    const keys = Object.keys(object);
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i]!;
      const check = fields.get(key) ?? accepted;
      if (check === undefined ? refused : !check(object[key], undetermined)) return false;
    }
    if (keys.length < minProperties || keys.length > maxProperties) return false;
    for (const name of required) if (!Object.hasOwn(object, name)) return false;
    return fits(object, undetermined);
  };
}
