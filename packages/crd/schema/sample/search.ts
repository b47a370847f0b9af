import type { Json } from '@tenantry/kube/object';
import { formatPath, type Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../json-schema.ts';
import { validate } from '../validate.ts';
import { listBranches } from './branches.ts';
import { Changes, Hints } from './changes.ts';
import {
  attempt,
  NoSample,
  type ValueFor,
  isValidSample,
  isObject,
  type JsonObject,
} from './value-for.ts';

type Found = { readonly value: Json } | { readonly got: string };

/** The number of values that are validated before the search ends. */
const MAX_TRIES = 2000;

/**
 * Searches for a value whose parts depend on each other. It starts from the smallest value and repeatedly changes the
 * value with the fewest errors at one place. It changes only what the schema's conditions (rules, anyOf, oneOf, not)
 * name. With `full`, it adds fields as long as the value stays valid.
 */
export function search(
  schema: JSONSchemaProps,
  path: Path,
  full: boolean,
  valueFor: ValueFor,
): Found {
  const hints = new Hints(schema);
  const tried = new SampleCandidates(schema);
  const changes = new Changes(hints, valueFor);
  let found = tried.firstValid(starts(schema, hints, path, full, valueFor));
  while (!found) {
    const next = tried.takeNearest();
    if (!next) break;
    found = tried.firstValid(changes.of(schema, next.value, path));
  }
  if (!found) return { got: tried.reason() };
  return { value: full ? fillOptionalFields(schema, found.value, path, valueFor) : found.value };
}

/** Yields the smallest values that fit everything except the conditions, and the literals of the conditions. */
function* starts(
  schema: JSONSchemaProps,
  hints: Hints,
  path: Path,
  full: boolean,
  valueFor: ValueFor,
): Generator<Json> {
  for (const branch of listBranches(schema)) {
    const { 'x-kubernetes-validations': _, not: __, ...free } = branch;
    const isWhole = branch === schema && Object.keys(free).length === Object.keys(schema).length;
    // This branch was tried already; trying it again would recurse forever.
    if (isWhole && !full) continue;
    // A branch that cannot be satisfied is skipped. If no branch can be, that is reported at the end.
    const made = attempt(() => valueFor(free, path, false));
    if (!(made instanceof NoSample)) yield made;
  }
  yield* hints.literalsFor(schema);
}

interface Try {
  readonly value: Json;
  readonly wrong: number;
}

/** The values that were validated. */
class SampleCandidates {
  readonly #schema: JSONSchemaProps;
  readonly #seen = new Set<string>();
  /** The invalid values that have not been changed yet. */
  readonly #queue: Try[] = [];
  #nearest: Try | undefined;

  constructor(schema: JSONSchemaProps) {
    this.#schema = schema;
  }

  /** Returns the first valid one of some values; stops after too many of them. */
  firstValid(values: Iterable<Json>): Try | undefined {
    for (const value of values) {
      const one = this.#try(value);
      if (one?.wrong === 0) return one;
      if (this.#isOver()) return undefined;
    }
    return undefined;
  }

  /** Removes the value with the fewest errors from the queue and returns it. */
  takeNearest(): Try | undefined {
    if (this.#queue.length === 0 || this.#isOver()) return undefined;
    const next = this.#queue.reduce((a, b) => (b.wrong < a.wrong ? b : a));
    this.#queue.splice(this.#queue.indexOf(next), 1);
    return next;
  }

  /** Explains why the nearest value is invalid; names the rule if a rule is the cause. */
  reason(): string {
    if (!this.#nearest) return 'no valid value';
    const { value } = this.#nearest;
    const rule = brokenRule(this.#schema, value);
    if (rule !== undefined) return `no value that passes the rule ${rule}`;
    const wrong = validate(this.#schema, value)[0];
    if (!wrong) return 'no valid value';
    return `no valid value: ${formatPath(wrong.path) || 'it'} ${wrong.message}`;
  }

  /** Validates a value; undefined if it was tried before. */
  #try(value: Json): Try | undefined {
    const text = JSON.stringify(value);
    if (this.#seen.has(text)) return undefined;
    this.#seen.add(text);
    const one = { value, wrong: validate(this.#schema, value).length };
    if (one.wrong > 0) this.#queue.push(one);
    if (!this.#nearest || one.wrong < this.#nearest.wrong) this.#nearest = one;
    return one;
  }

  #isOver(): boolean {
    return this.#seen.size >= MAX_TRIES;
  }
}

/** Returns the first rule of the schema itself that a value breaks. */
function brokenRule(schema: JSONSchemaProps, value: Json): string | undefined {
  const { 'x-kubernetes-validations': rules = [], ...free } = schema;
  const errors = validate(free, value).length;
  return rules.find(
    (rule) => validate({ ...free, 'x-kubernetes-validations': [rule] }, value).length > errors,
  )?.rule;
}

/** Fills in every field that the value can have, one after the other, in the order of the schema. */
function fillOptionalFields(
  schema: JSONSchemaProps,
  start: Json,
  path: Path,
  valueFor: ValueFor,
): Json {
  if (!isObject(start)) return start;
  const names = Object.keys(schema.properties ?? {});
  // A field that is refused because of a later one is tried again in the second pass.
  return [...names, ...names].reduce(
    (value, name) => withField(schema, value, name, path, valueFor),
    start,
  );
}

/** Returns the object with the fullest value that is valid for a field; unchanged if there is none. */
function withField(
  schema: JSONSchemaProps,
  object: JsonObject,
  name: string,
  path: Path,
  valueFor: ValueFor,
): JsonObject {
  const { properties = {} } = schema;
  for (const full of Object.hasOwn(object, name) ? [true] : [true, false]) {
    const made = attempt(() => valueFor(properties[name]!, [...path, name], full));
    if (made instanceof NoSample) continue;
    const candidate = inOrder(Object.keys(properties), { ...object, [name]: made });
    if (isValidSample(schema, candidate)) return candidate;
  }
  return object;
}

function inOrder(names: readonly string[], object: JsonObject): JsonObject {
  const all = new Set([...names, ...Object.keys(object)]);
  const present = [...all].filter((name) => Object.hasOwn(object, name));
  return Object.fromEntries(present.map((name) => [name, object[name]!]));
}
