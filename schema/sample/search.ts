import type { Json } from '../../kube/object.ts';
import { formatPath, type Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { validate } from '../validate.ts';
import { listBranches } from './branches.ts';
import { Changes } from './changes.ts';
import { fillOptionalFields } from './grown.ts';
import { Hints } from './hints.ts';
import { attempt, NoSample } from './no-sample.ts';
import type { ValueFor } from './value-for.ts';

type Found = { readonly value: Json } | { readonly got: string };

/** How many values are asked of the validator before the search is given up. */
const MOST_TRIES = 2000;

/**
 * Looks for a value whose parts depend on each other: from the smallest one, step by step the value
 * with the fewest errors is changed at one place. Only what the schema's conditions (its rules,
 * anyOf, oneOf, not) name is changed. With `full`, fields are added to it as long as it is valid.
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

/** The smallest values that fit what is no condition, and the literals of the conditions. */
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
    // That was asked already, and to ask it again would never end.
    if (isWhole && !full) continue;
    // A branch that cannot be satisfied is no start; that there is none at all is reported at the
    // end.
    const made = attempt(() => valueFor(free, path, false));
    if (!(made instanceof NoSample)) yield made;
  }
  yield* hints.literalsFor(schema);
}

interface Try {
  readonly value: Json;
  readonly wrong: number;
}

/** The values that were asked of the validator. */
class SampleCandidates {
  readonly #schema: JSONSchemaProps;
  readonly #seen = new Set<string>();
  /** Those that are not valid, and were not changed yet. */
  readonly #queue: Try[] = [];
  #nearest: Try | undefined;

  constructor(schema: JSONSchemaProps) {
    this.#schema = schema;
  }

  /** The first valid one of some values, until there were too many of them. */
  firstValid(values: Iterable<Json>): Try | undefined {
    for (const value of values) {
      const one = this.#try(value);
      if (one?.wrong === 0) return one;
      if (this.#isOver()) return undefined;
    }
    return undefined;
  }

  /** The one with the fewest errors of those that were not taken yet. */
  takeNearest(): Try | undefined {
    if (this.#queue.length === 0 || this.#isOver()) return undefined;
    const next = this.#queue.reduce((a, b) => (b.wrong < a.wrong ? b : a));
    this.#queue.splice(this.#queue.indexOf(next), 1);
    return next;
  }

  /** What stands in the way of the value that came nearest: the rule itself where it is one. */
  reason(): string {
    if (!this.#nearest) return 'no valid value';
    const { value } = this.#nearest;
    const rule = brokenRule(this.#schema, value);
    if (rule !== undefined) return `no value that passes the rule ${rule}`;
    const wrong = validate(this.#schema, value)[0];
    if (!wrong) return 'no valid value';
    return `no valid value: ${formatPath(wrong.path) || 'it'} ${wrong.message}`;
  }

  /** Undefined for a value that was tried before. */
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
    return this.#seen.size >= MOST_TRIES;
  }
}

/** The first rule of the schema itself that a value breaks. */
function brokenRule(schema: JSONSchemaProps, value: Json): string | undefined {
  const { 'x-kubernetes-validations': rules = [], ...free } = schema;
  const errors = validate(free, value).length;
  return rules.find(
    (rule) => validate({ ...free, 'x-kubernetes-validations': [rule] }, value).length > errors,
  )?.rule;
}
