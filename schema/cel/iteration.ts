import { ComputedMap, ListValue, MapValue } from './collection.ts';
import { Failure, noSuchOverload } from './failure.ts';
import { spend } from './spending.ts';
import { typeNameOf, type Value } from './value.ts';

/** Values of the variables of an expression, each in a place of its own. */
export type Slots = (Value | undefined)[];

/** A part of an expression, ready to run. Throws a Failure, or Undecided. */
export type Step = (slots: Slots) => Value;

/** Throws a Failure for what is neither true nor false. */
export function requireBool(value: Value): boolean {
  if (typeof value !== 'boolean') throw noSuchOverload();
  return value;
}

/**
 * `all` and `exists`: the one value that decides, or else the other; what fails may be overruled.
 *
 * @param goOnCost what it costs to see, before each round, whether one before has decided
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

/** Items or keys; with their positions before, or their values after them, where two are asked. */
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

/** The map of the pairs, whose keys must not come twice. */
export function distinctKeys(pairs: readonly (readonly [Value, Value])[]): ComputedMap {
  const map = new ComputedMap(pairs);
  if (map.size === pairs.length) return map;
  throw new Failure('insert failed: a key already exists');
}
