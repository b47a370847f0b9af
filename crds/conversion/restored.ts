import { isDeepEqual } from '../../kube/equality.ts';
import type { Finding } from '../../kube/finding.ts';
import type { Json } from '../../kube/object.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { compileSchema } from '../../schema/validator.ts';
import { fieldOf, findItem, isObject, own, type KeptField, type Step } from './kept.ts';

/** A kept field that is not restored. */
export interface UnrestoredField {
  readonly kept: KeptField;
  /** `changed`: the field is not as the conversion left it. Otherwise the errors of the schema. */
  readonly because: 'changed' | readonly Finding[];
}

/** An object with its kept fields restored. */
export interface RestoreResult {
  readonly value: Json;
  readonly left: readonly UnrestoredField[];
}

/** The maximum number of fields to leave out one at a time. Each attempt validates the object. */
const MOST_TRIED = 100;
const MOST_ROUNDS = 4;

/**
 * Restores kept fields if they are still as the conversion left them. A field that was changed in
 * the other version was changed on purpose.
 *
 * Leaves out what the schema refuses, because anybody can write annotations. First tries all fields
 * together, because some may only be valid together. Otherwise restores the fields that cause no
 * errors, and then each remaining field that is valid by itself.
 */
export function restoreKeptFields(
  schema: JSONSchemaProps,
  value: Json,
  kept: readonly KeptField[],
): RestoreResult {
  if (kept.length === 0) return { value, left: [] };
  const restoration = new Restoration(schema, value);
  const together = new Set(restoration.selectRestorable(kept));
  let result = restoration.restoreAll([...together]);
  const left: UnrestoredField[] = [];
  for (const one of kept) {
    if (together.has(one)) continue;
    const next = restoreField(schema, result, one.path, one);
    const errors = next === undefined ? 'changed' : restoration.findNewErrors(next);
    if (next !== undefined && errors.length === 0) result = next;
    else left.push({ kept: one, because: errors });
  }
  return { value: result, left };
}

class Restoration {
  readonly #schema: JSONSchemaProps;
  readonly #value: Json;
  /** Errors that the object had before are not attributed to the kept fields. */
  readonly #before: ReadonlySet<string>;

  constructor(schema: JSONSchemaProps, value: Json) {
    this.#schema = schema;
    this.#value = value;
    this.#before = new Set(this.#errors(value).map(identityOf));
  }

  /** Selects what can be restored at once: all fields, or all but those whose absence reduces the errors. */
  selectRestorable(kept: readonly KeptField[]): readonly KeptField[] {
    let some = kept.filter(
      (one) => restoreField(this.#schema, this.#value, one.path, one) !== undefined,
    );
    for (let round = 0; round < MOST_ROUNDS && some.length > 0; round += 1) {
      const wrong = this.findNewErrors(this.restoreAll(some)).length;
      if (wrong === 0) return some;
      if (some.length > MOST_TRIED) return [];
      const all = some;
      some = all.filter((one) => {
        const others = all.filter((other) => other !== one);
        return this.findNewErrors(this.restoreAll(others)).length >= wrong;
      });
      if (some.length === all.length) return [];
    }
    return [];
  }

  restoreAll(kept: readonly KeptField[]): Json {
    return kept.reduce(
      (value, one) => restoreField(this.#schema, value, one.path, one) ?? value,
      this.#value,
    );
  }

  /** Finds the errors of an object that it did not have before. */
  findNewErrors(value: Json): readonly Finding[] {
    return this.#errors(value).filter((error) => !this.#before.has(identityOf(error)));
  }

  #errors(value: Json): readonly Finding[] {
    return compileSchema(this.#schema, { root: true }).check(value).errors;
  }
}

/** Identifies a finding without list indexes, because items may move. */
function identityOf({ path, rule, message }: Finding): string {
  return JSON.stringify([path.filter((part) => typeof part === 'string'), rule, message]);
}

/** Restores one field. Returns undefined if it no longer belongs here. */
function restoreField(
  schema: JSONSchemaProps,
  value: Json | undefined,
  path: readonly Step[],
  kept: KeptField,
): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return isDeepEqual(value, kept.became) ? kept.had : undefined;
  if (typeof step === 'string') {
    if (value !== undefined && !isObject(value)) return undefined;
    const fields = value ?? {};
    const current = own(fields, step);
    if (rest.length === 0) {
      if (!isDeepEqual(current, kept.became)) return undefined;
      const others = Object.entries(fields).filter(([name]) => name !== step);
      return Object.fromEntries(kept.had === undefined ? others : [...others, [step, kept.had]]);
    }
    // A list may be absent because the other version sees none of its items; the items that it does
    // not see are kept.
    const inside = current ?? (typeof rest[0] === 'string' ? undefined : []);
    if (inside === undefined) return undefined;
    const next = restoreField(fieldOf(schema, step), inside, rest, kept);
    return next === undefined ? undefined : { ...fields, [step]: next };
  }
  if (!Array.isArray(value)) return undefined;
  const place = findItem(value, step);
  const items = schema.items ?? {};
  if (rest.length > 0) {
    const next = place < 0 ? undefined : restoreField(items, value[place], rest, kept);
    return next === undefined ? undefined : value.with(place, next);
  }
  if (!isDeepEqual(value[place], kept.became)) return undefined;
  if (kept.had === undefined) return place < 0 ? undefined : value.toSpliced(place, 1);
  if (place >= 0) return value.with(place, kept.had);
  return value.toSpliced(Math.min(kept.at ?? value.length, value.length), 0, kept.had);
}
