import { ComputedMap, ListValue, MapValue } from './collection.ts';
import { Failure, noSuchOverload } from './failure.ts';
import { spend } from './spending.ts';
import { typeNameOf, type Value } from './value.ts';

/** The values of an expression's variables, each in its own slot. */
export type Slots = (Value | undefined)[];

/** An executable part of an expression. Throws a Failure, or Undecided. */
export type Step = (slots: Slots) => Value;

/** Throws a Failure if the value is not a boolean. */
export function requireBool(value: Value): boolean {
  if (typeof value !== 'boolean') throw noSuchOverload();
  return value;
}

/**
 * Evaluates `all` and `exists`: the result is the deciding value if a round has it, even if other rounds fail;
 * otherwise the other value.
 *
 * @param goOnCost the cost of checking, before each round, whether an earlier round has decided
 */
export function quantify(
  decisive: boolean,
  each: (slots: Slots, visit: () => boolean) => void,
  slots: Slots,
  body: Step,
  goOnCost: number,
): boolean {
  let failure: Failure | undefined;
  let decided = false;
  each(slots, () => {
    spend(goOnCost);
    if (decided) return true;
    spend(1);
    try {
      decided = requireBool(body(slots)) === decisive;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure ??= error;
    }
    return false;
  });
  spend(1);
  if (decided) return decisive;
  if (failure) throw failure;
  return !decisive;
}

/** Yields items or keys. For two variables, yields positions with items, or keys with values. */
export function* roundsOf(range: Value, isPair: boolean): Iterable<readonly [Value, Value?]> {
  if (range instanceof ListValue) {
    for (let i = 0; i < range.size; i += 1) yield isPair ? [BigInt(i), range.at(i)] : [range.at(i)];
  } else if (range instanceof MapValue) {
    for (const key of range.keys()) yield isPair ? [key, range.find(key)!] : [key];
  } else throw new Failure(`got '${typeNameOf(range)}', expected iterable type`);
}

export function pairsOf(value: Value): [Value, Value][] {
  if (!(value instanceof MapValue)) throw noSuchOverload();
  return Array.from(value.keys(), (key): [Value, Value] => [key, value.find(key)!]);
}

/** Builds a map from pairs. Throws a Failure for a repeated key. */
export function distinctKeys(pairs: readonly (readonly [Value, Value])[]): ComputedMap {
  const map = new ComputedMap(pairs);
  if (map.size === pairs.length) return map;
  throw new Failure('insert failed: a key already exists');
}
