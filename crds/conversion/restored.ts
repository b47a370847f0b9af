import { isDeepEqual } from '../../kube/equality.ts';
import type { Finding } from '../../kube/finding.ts';
import type { Json } from '../../kube/object.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { compileSchema } from '../../schema/validator.ts';
import { fieldOf, findItem, isObject, own, type KeptField, type Step } from './kept.ts';

/** What was kept and is not put back. */
export interface UnrestoredField {
  readonly kept: KeptField;
  /** `changed`: the field is not as the conversion left it. Else what the schema has against it. */
  readonly because: 'changed' | readonly Finding[];
}

/** An object with what was kept put back. */
export interface RestoreResult {
  readonly value: Json;
  readonly left: readonly UnrestoredField[];
}

/** So many are left out of the others one at a time: each time the object is validated. */
const MOST_TRIED = 100;
const MOST_ROUNDS = 4;

/**
 * The object with what was kept put back, each where the field is still as the conversion left it:
 * whoever changed it in the other version meant to. What the schema does not take is left out, for
 * annotations can be written by anybody. All of it is put back together, for fields may be valid
 * only together; else what is in nobody's way, and of the rest what is valid by itself.
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
  /** What is wrong with the object before anything is put back is not held against what was kept. */
  readonly #before: ReadonlySet<string>;

  constructor(schema: JSONSchemaProps, value: Json) {
    this.#schema = schema;
    this.#value = value;
    this.#before = new Set(this.#errors(value).map(identityOf));
  }

  /** What can be put back at once: all, or all without those by whose absence less is wrong. */
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

  /** What is wrong with an object, and was not before. */
  findNewErrors(value: Json): readonly Finding[] {
    return this.#errors(value).filter((error) => !this.#before.has(identityOf(error)));
  }

  #errors(value: Json): readonly Finding[] {
    return compileSchema(this.#schema, { root: true }).check(value).errors;
  }
}

/** Items may move. */
function identityOf({ path, rule, message }: Finding): string {
  return JSON.stringify([path.filter((part) => typeof part === 'string'), rule, message]);
}

/** Undefined: it does not belong here any more. */
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
    // Without the items that the other version sees, a list may be gone; those it does not stay.
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
