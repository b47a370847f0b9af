import type { Json } from '../../kube/object.ts';
import { formatPath, type Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../jsonschema.ts';
import { branchesOf } from './branches.ts';
import { Hints } from './hints.ts';
import { scalarsFor } from './values.ts';
import { isMapping } from '../../kube/mapping.ts';
import { validate } from '../validate.ts';

/** A valid value for a node of the schema; throws where there is none. */
export type ValueFor = (schema: JSONSchemaProps, path: Path, full: boolean) => Json;

type Found = { readonly value: Json } | { readonly got: string };

/** How many values are asked of the validator before the search is given up. */
const MOST_TRIES = 2000;
/** How many values of one field are tried. */
const MOST_VALUES = 12;

interface State {
  readonly value: Json;
  readonly wrong: number;
}

/**
 * Looks for a value whose parts depend on each other: from the smallest one, step by step the value
 * with the fewest mismatches is changed at one place. Only what the schema's conditions (its rules,
 * anyOf, oneOf, not) name is changed. With `full`, fields are added to it as long as it is valid.
 */
export function search(
  schema: JSONSchemaProps,
  path: Path,
  full: boolean,
  valueFor: ValueFor,
): Found {
  const hints = new Hints(schema);
  const mismatches = (value: Json): number => validate(schema, value).length;
  const queue: State[] = [];
  const seen = new Set<string>();
  const visit = (value: Json): State | undefined => {
    const text = JSON.stringify(value);
    if (seen.has(text)) return undefined;
    seen.add(text);
    const state = { value, wrong: mismatches(value) };
    if (state.wrong > 0) queue.push(state);
    return state;
  };
  let best: State | undefined;
  for (const start of starts(schema, hints, path, valueFor)) {
    const state = visit(start);
    if (state?.wrong === 0) {
      return { value: full ? grown(schema, state.value, path, valueFor) : state.value };
    }
    if (state && (!best || state.wrong < best.wrong)) best = state;
  }
  while (queue.length > 0 && seen.size < MOST_TRIES) {
    const next = queue.reduce((a, b) => (b.wrong < a.wrong ? b : a));
    queue.splice(queue.indexOf(next), 1);
    for (const value of changes(schema, next.value, hints, path, valueFor)) {
      const state = visit(value);
      if (state?.wrong === 0) {
        return { value: full ? grown(schema, state.value, path, valueFor) : state.value };
      }
      if (state && (!best || state.wrong < best.wrong)) best = state;
      if (seen.size >= MOST_TRIES) break;
    }
  }
  return { got: best ? reason(schema, best.value) : 'no valid value' };
}

/** What stands in the way of the value that came nearest: the rule itself where it is one. */
function reason(schema: JSONSchemaProps, value: Json): string {
  for (const rule of schema['x-kubernetes-validations'] ?? []) {
    const alone = { ...schema, 'x-kubernetes-validations': [rule] };
    const { 'x-kubernetes-validations': _, ...without } = alone;
    if (validate(alone, value).length > validate(without, value).length) {
      return `no value that follows the rule ${rule.rule}`;
    }
  }
  const wrong = validate(schema, value)[0];
  if (!wrong) return 'no valid value';
  const where = formatPath(wrong.path);
  return `no valid value: ${where === '' ? 'it' : where} ${wrong.message}`;
}

function* starts(
  schema: JSONSchemaProps,
  hints: Hints,
  path: Path,
  valueFor: ValueFor,
): Generator<Json> {
  for (const branch of branchesOf(schema)) {
    const { 'x-kubernetes-validations': _, not: __, ...free } = branch;
    try {
      yield valueFor(free, path, false);
    } catch {
      // A branch that cannot be satisfied is no start; that there is none at all is told at the end.
    }
  }
  yield* hints.literalsFor(schema);
}

/** The value with one place changed, for each place that the conditions name. */
function* changes(
  schema: JSONSchemaProps,
  value: Json,
  hints: Hints,
  path: Path,
  valueFor: ValueFor,
): Generator<Json> {
  for (const part of branchesOf(schema)) {
    if (isMapping(value)) {
      yield* changesOfObject(part, value as Record<string, Json>, hints, path, valueFor);
    } else if (Array.isArray(value)) yield* changesOfList(part, value, hints, path, valueFor);
    else yield* scalars(part, hints);
  }
}

function* scalars(schema: JSONSchemaProps, hints: Hints): Generator<Json> {
  yield* hints.literalsFor(schema);
  let tried = 0;
  for (const value of scalarsFor(schema)) {
    yield value;
    tried += 1;
    if (tried === MOST_VALUES) return;
  }
}

function* changesOfObject(
  schema: JSONSchemaProps,
  value: Record<string, Json>,
  hints: Hints,
  path: Path,
  valueFor: ValueFor,
): Generator<Json> {
  const { properties = {}, additionalProperties } = schema;
  for (const [name, field] of Object.entries(properties)) {
    if (!hints.mentions(name)) continue;
    const current = Object.hasOwn(value, name) ? value[name] : undefined;
    const { [name]: _, ...others } = value;
    if (current !== undefined) {
      for (const inner of changes(field, current, hints, [...path, name], valueFor)) {
        yield { ...value, [name]: inner };
      }
      if (!schema.required?.includes(name)) yield others;
    } else yield* added(value, name, field, hints, path, valueFor);
  }
  if (typeof additionalProperties !== 'object') return;
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(properties, key)) continue;
    for (const inner of changes(
      additionalProperties,
      value[key]!,
      hints,
      [...path, key],
      valueFor,
    )) {
      yield { ...value, [key]: inner };
    }
    const { [key]: _, ...others } = value;
    yield others;
  }
  for (const key of ['key', ...hints.texts]) {
    if (!Object.hasOwn(value, key) && !Object.hasOwn(properties, key)) {
      yield* added(value, key, additionalProperties, hints, path, valueFor);
    }
  }
}

function* added(
  value: Record<string, Json>,
  name: string,
  field: JSONSchemaProps,
  hints: Hints,
  path: Path,
  valueFor: ValueFor,
): Generator<Json> {
  let inner: Json;
  try {
    inner = valueFor(field, [...path, name], false);
  } catch {
    return;
  }
  yield { ...value, [name]: inner };
  if (!isMapping(inner) && !Array.isArray(inner)) {
    for (const other of scalars(field, hints)) yield { ...value, [name]: other };
  }
}

function* changesOfList(
  schema: JSONSchemaProps,
  value: Json[],
  hints: Hints,
  path: Path,
  valueFor: ValueFor,
): Generator<Json> {
  const { items = {} } = schema;
  for (const [i, item] of value.entries()) {
    for (const inner of changes(items, item, hints, [...path, i], valueFor)) {
      yield value.with(i, inner);
    }
    yield value.toSpliced(i, 1);
  }
  let item: Json;
  try {
    item = valueFor(items, [...path, value.length], false);
  } catch {
    return;
  }
  yield [...value, item];
  if (!isMapping(item) && !Array.isArray(item)) {
    for (const other of scalars(items, hints)) yield [...value, other];
  }
}

/** The value with every field that it can have, in the order of the schema; one after the other. */
function grown(schema: JSONSchemaProps, start: Json, path: Path, valueFor: ValueFor): Json {
  const properties = schema.properties ?? {};
  if (!isMapping(start)) return start;
  let value = start as Record<string, Json>;
  const valid = (candidate: Json): boolean => validate(schema, candidate).length === 0;
  // What is refused because of a field that comes later has its turn in the second pass.
  for (let pass = 1; pass <= 2; pass += 1) {
    for (const [name, field] of Object.entries(properties)) {
      for (const full of [true, false]) {
        if (!full && Object.hasOwn(value, name)) break;
        let inner: Json;
        try {
          inner = valueFor(field, [...path, name], full);
        } catch {
          continue;
        }
        const candidate = inOrder(properties, { ...value, [name]: inner });
        if (!valid(candidate)) continue;
        value = candidate;
        break;
      }
    }
  }
  return value;
}

function inOrder(
  properties: Readonly<Record<string, unknown>>,
  value: Record<string, Json>,
): Record<string, Json> {
  const names = new Set([...Object.keys(properties), ...Object.keys(value)]);
  const present = [...names].filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(present.map((name) => [name, value[name]!]));
}
