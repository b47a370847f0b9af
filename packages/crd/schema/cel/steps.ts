import { ComputedMap, ListValue, MapValue, ComputedList } from './collection.ts';
import { Failure, noSuchOverload } from './failure.ts';
import { spend } from './spending.ts';
import { typeNameOf, type Value, Optional } from './value.ts';
import type { Call, ListNode, ExpressionNode } from './expression.ts';

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
export function* listRounds(range: Value, isPair: boolean): Iterable<readonly [Value, Value?]> {
  if (range instanceof ListValue) {
    for (let i = 0; i < range.size; i += 1) yield isPair ? [BigInt(i), range.at(i)] : [range.at(i)];
  } else if (range instanceof MapValue) {
    for (const key of range.keys()) yield isPair ? [key, range.find(key)!] : [key];
  } else throw new Failure(`got '${typeNameOf(range)}', expected iterable type`);
}

export function listPairs(value: Value): [Value, Value][] {
  if (!(value instanceof MapValue)) throw noSuchOverload();
  return Array.from(value.keys(), (key): [Value, Value] => [key, value.find(key)!]);
}

/** Builds a map from pairs. Throws a Failure for a repeated key. */
export function distinctKeys(pairs: readonly (readonly [Value, Value])[]): ComputedMap {
  const map = new ComputedMap(pairs);
  if (map.size === pairs.length) return map;
  throw new Failure('insert failed: a key already exists');
}

/** Whether the API server looks a value up in a set of constants, which costs nothing. */
export function isSetMembership({ name, args }: Call): boolean {
  const list = args[1];
  return name === '@in' && list?.kind === 'list' && list.items.every(isConstant);
}

const isConstant = ({ value, optional }: ListNode['items'][number]): boolean =>
  value.kind === 'const' && !optional;

/** Whether the API server computes the value before any evaluation, so that it costs nothing. */
export function isFolded(node: ExpressionNode): boolean {
  switch (node.kind) {
    case 'const':
      return true;
    case 'list':
      return node.items.every(({ value, optional }) => !optional && isFolded(value));
    case 'map':
      return node.entries.every((one) => !one.optional && isFolded(one.key) && isFolded(one.value));
    case 'call':
      return isConversion(node) && isFolded(node.args[0]!);
    default:
      return false;
  }
}

const conversions = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/** Whether a call converts a value, or returns its type. */
export const isConversion = ({ name, target, args }: Call): boolean =>
  conversions.has(name) && !target && args.length === 1;

/** Plans the construction of a list. */
export function makeList(
  items: readonly { readonly optional: boolean; readonly step: Step }[],
  cost: number,
): Step {
  return (slots) => {
    spend(cost);
    const values: Value[] = [];
    for (const { optional, step } of items) {
      const value = step(slots);
      if (!optional) values.push(value);
      else if (!(value instanceof Optional)) throw notOptional(value);
      else if (value.hasValue) values.push(value.value);
    }
    return new ComputedList(values);
  };
}

/** A planned entry of a map. */
interface Entry {
  readonly optional: boolean;
  readonly key: Step;
  readonly step: Step;
}

/** Plans the construction of a map. */
export function makeMap(entries: readonly Entry[], cost: number): Step {
  return (slots) => {
    spend(cost);
    const pairs: [Value, Value][] = [];
    for (const { optional, key, step } of entries) {
      const [name, value] = [key(slots), step(slots)];
      if (!optional) pairs.push([name, value]);
      else if (!(value instanceof Optional)) throw notOptional(value);
      else if (value.hasValue) pairs.push([name, value.value]);
    }
    return new ComputedMap(pairs);
  };
}

const notOptional = (value: Value): Failure =>
  new Failure(`cannot initialize optional entry from non-optional value ${typeNameOf(value)}`);
