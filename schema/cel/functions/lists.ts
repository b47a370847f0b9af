import { index, Items, type ListValue } from '../collection.ts';
import { Failure, Undecided } from '../failure.ts';
import type { Functions } from '../overload.ts';
import {
  compare,
  Duration,
  equal,
  int,
  Optional,
  Uint,
  uint,
  typeNameOf,
  type Value,
} from '../value.ts';

const ordered = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

function forEach(types: readonly string[], signature: (type: string) => string, call: unknown) {
  return Object.fromEntries(types.map((type) => [signature(type), call])) as Functions;
}

function isSorted(list: ListValue): boolean {
  for (let i = 1; i < list.size; i += 1) if (compare(list.at(i - 1), list.at(i)) > 0) return false;
  return true;
}

/** The first of those that are least, or greatest. */
const extreme = (name: string, sign: 1 | -1) => (list: ListValue) => {
  if (list.size === 0) throw new Failure(`${name} called on empty list`);
  let best = list.at(0);
  for (const item of list) if (compare(best, item) * sign > 0) best = item;
  return best;
};

function find(list: ListValue, item: Value, from: number, step: 1 | -1): bigint {
  for (let i = from; i >= 0 && i < list.size; i += step) {
    try {
      if (equal(list.at(i), item)) return BigInt(i);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return -1n;
}

function slice(list: ListValue, start: bigint, end: bigint): Items {
  const what = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new Failure(`${what}, negative indexes not supported`);
  if (start > end) {
    throw new Failure(`${what}, start index must be less than or equal to end index`);
  }
  if (end > list.size) throw new Failure(`${what}, list is length ${list.size}`);
  return new Items([...list].slice(Number(start), Number(end)));
}

function flatten(list: ListValue, depth = 1n): Items {
  if (depth < 0n) throw new Failure('level must be non-negative');
  const flat = (items: ListValue, depth: bigint): Value[] =>
    [...items].flatMap((item) => (depth > 0n && isList(item) ? flat(item, depth - 1n) : [item]));
  return new Items(flat(list, depth));
}

const isList = (value: Value): value is ListValue => typeNameOf(value) === 'list';

function sortByKeys(list: ListValue, keys: ListValue): ListValue {
  const types = new Set([...keys].map(typeNameOf));
  if (types.size > 1) throw new Failure('list elements must have the same type');
  const order = Array.from({ length: list.size }, (_, i) => i);
  return new Items(
    order.toSorted((a, b) => compare(keys.at(a), keys.at(b))).map((i) => list.at(i)),
  );
}

/** More than the API server would count to within its budget. */
const LONGEST_RANGE = 1_000_000n;

function range(count: bigint): Items {
  if (count > LONGEST_RANGE) throw new Undecided('it makes a list that may cost too much');
  return new Items(Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i)));
}

function distinct(list: ListValue): Items {
  const found: Value[] = [];
  for (const item of list) {
    if (find(new Items(found), item, 0, 1) < 0n) found.push(item);
  }
  return new Items(found);
}

function containsAll(list: ListValue, items: ListValue): boolean {
  return [...items].every((item) => list.contains(item));
}

/** Whatever it cannot compare is not there. */
function intersects(a: ListValue, b: ListValue): boolean {
  return [...a].some((item) => {
    try {
      return b.contains(item);
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  });
}

const sums: Functions = {
  'list<int>::sum(): int': (list: ListValue) =>
    [...list].reduce((sum, item) => int((sum as bigint) + (item as bigint)), 0n),
  'list<uint>::sum(): uint': (list: ListValue) =>
    [...list].reduce((sum, item) => uint((sum as Uint).value + (item as Uint).value), new Uint(0n)),
  'list<double>::sum(): double': (list: ListValue) =>
    [...list].reduce((sum, item) => (sum as number) + (item as number), 0),
  'list<duration>::sum(): duration': (list: ListValue) =>
    [...list].reduce(
      (sum, item) => new Duration((sum as Duration).nanos + (item as Duration).nanos),
      new Duration(0n),
    ),
};

/** Lists: Kubernetes' own functions, version 3 of the library for them, and sets. */
export const lists: Functions = {
  ...forEach(ordered, (type) => `list<${type}>::isSorted(): bool`, isSorted),
  ...forEach(ordered, (type) => `list<${type}>::min(): ${type}`, extreme('min', 1)),
  ...forEach(ordered, (type) => `list<${type}>::max(): ${type}`, extreme('max', -1)),
  ...sums,
  'list<A>::indexOf(A): int': (list: ListValue, item: Value) => find(list, item, 0, 1),
  'list<A>::lastIndexOf(A): int': (list: ListValue, item: Value) =>
    find(list, item, list.size - 1, -1),
  'list<T>::slice(int, int): list<T>': slice,
  'list<list<T>>::flatten(): list<T>': (list: ListValue) => flatten(list),
  'list<dyn>::flatten(int): list<dyn>': flatten,
  ...forEach(
    ordered,
    (type) => `list<${type}>::sort(): list<${type}>`,
    (list: ListValue) => sortByKeys(list, list),
  ),
  ...forEach(ordered, (type) => `list<T>::@sortByKeys(list<${type}>): list<T>`, sortByKeys),
  'lists.range(int): list<int>': range,
  'list<T>::reverse(): list<T>': (list: ListValue) => new Items([...list].toReversed()),
  'list<T>::distinct(): list<T>': distinct,
  'list<T>::first(): optional<T>': (list: ListValue) =>
    new Optional(list.size ? list.at(0) : undefined),
  'list<T>::last(): optional<T>': (list: ListValue) =>
    new Optional(list.size ? index(list, BigInt(list.size - 1)) : undefined),
  'sets.contains(list<T>, list<T>): bool': containsAll,
  'sets.equivalent(list<T>, list<T>): bool': (a: ListValue, b: ListValue) =>
    containsAll(a, b) && containsAll(b, a),
  'sets.intersects(list<T>, list<T>): bool': intersects,
};
