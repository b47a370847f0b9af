import { ComputedList, type ListValue } from '../collection.ts';
import { Failure, noSuchOverload, Undecided } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { takeSteps } from '../spending.ts';
import {
  compare,
  Duration,
  equalIfComparable,
  int,
  Optional,
  orderOf,
  Uint,
  uint,
  typeNameOf,
  type Value,
} from '../value.ts';

const ordered = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

function forEach(types: readonly string[], signature: (type: string) => string, call: unknown) {
  return Object.fromEntries(types.map((type) => [signature(type), call])) as Functions;
}

const comparable = new Set([
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
]);

/**
 * Compares two values. Values without a common order, such as a text and a number, are neither above nor below each
 * other.
 */
function order(a: Value, b: Value): number {
  if (!comparable.has(typeNameOf(b))) throw noSuchOverload();
  return orderOf(a, b) ?? 0;
}

function isSorted(list: ListValue): boolean {
  const items = [...list];
  return items.slice(1).every((item, i) => order(items[i]!, item) <= 0);
}

/** Returns the first of the smallest or the greatest items. */
const extreme = (name: string, isWorse: (order: number) => boolean) => (list: ListValue) => {
  if (list.size === 0) throw new Failure(`${name} called on empty list`);
  return [...list].reduce((best, item) => (isWorse(order(best, item)) ? item : best));
};

/** Whether an item equals a value; values that cannot be compared are not equal. */
const isItem = (wanted: Value) => (item: Value) => equalIfComparable(item, wanted) === true;

function slice(list: ListValue, start: bigint, end: bigint): ComputedList {
  const what = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new Failure(`${what}, negative indexes not supported`);
  if (start > end) {
    throw new Failure(`${what}, start index must be less than or equal to end index`);
  }
  if (end > list.size) throw new Failure(`${what}, list is length ${list.size}`);
  return new ComputedList([...list].slice(Number(start), Number(end)));
}

function flatten(list: ListValue, depth = 1n): ComputedList {
  if (depth < 0n) throw new Failure('level must be non-negative');
  const flat = (items: ListValue, depth: bigint): Value[] => {
    takeSteps(items.size);
    return [...items].flatMap((item) =>
      depth > 0n && isList(item) ? flat(item, depth - 1n) : [item],
    );
  };
  return new ComputedList(flat(list, depth));
}

const isList = (value: Value): value is ListValue => typeNameOf(value) === 'list';

function sortByKeys(list: ListValue, keys: ListValue): ListValue {
  const types = new Set([...keys].map(typeNameOf));
  if (types.size > 1) throw new Failure('list elements must have the same type');
  if (keys.size > 1 && [...keys].some(Number.isNaN)) {
    throw new Undecided('it sorts values that are not numbers');
  }
  const order = Array.from({ length: list.size }, (_, i) => i);
  return new ComputedList(
    order.toSorted((a, b) => compare(keys.at(a), keys.at(b))).map((i) => list.at(i)),
  );
}

/** The approximate length up to which the API server's budget suffices. */
const MAX_RANGE_LENGTH = 900_000n;

function range(count: bigint): ComputedList {
  if (count > MAX_RANGE_LENGTH) throw new Undecided('it makes a list that may cost too much');
  return new ComputedList(Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i)));
}

function distinct(list: ListValue): ComputedList {
  const found: Value[] = [];
  for (const item of list) if (!found.some(isItem(item))) found.push(item);
  return new ComputedList(found);
}

function containsAll(list: ListValue, items: ListValue): boolean {
  return [...items].every((item) => list.contains(item));
}

/** Whether two lists have a common item. Items that cannot be compared are ignored. */
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

const sumFrom =
  <T extends Value>(zero: T, add: (sum: T, item: T) => T) =>
  (list: ListValue): Value =>
    [...list].reduce<T>((sum, item) => {
      if (typeNameOf(item) !== typeNameOf(zero)) throw noSuchOverload();
      return add(sum, item as T);
    }, zero);

const sums: Functions = {
  'list<int>::sum(): int': sumFrom<bigint>(0n, (sum, item) => int(sum + item)),
  'list<uint>::sum(): uint': sumFrom(new Uint(0n), (sum, item) => uint(sum.value + item.value)),
  'list<double>::sum(): double': sumFrom<number>(0, (sum, item) => sum + item),
  'list<duration>::sum(): duration': sumFrom(
    new Duration(0n),
    (sum, item) => new Duration(sum.nanos + item.nanos),
  ),
};

/** The list functions: Kubernetes' own, version 3 of the list library, and sets. */
export const lists: Functions = {
  ...forEach(ordered, (type) => `list<${type}>::isSorted(): bool`, isSorted),
  ...forEach(
    ordered,
    (type) => `list<${type}>::min(): ${type}`,
    extreme('min', (order) => order > 0),
  ),
  ...forEach(
    ordered,
    (type) => `list<${type}>::max(): ${type}`,
    extreme('max', (order) => order < 0),
  ),
  ...sums,
  'list<A>::indexOf(A): int': (list: ListValue, item: Value) =>
    BigInt([...list].findIndex(isItem(item))),
  'list<A>::lastIndexOf(A): int': (list: ListValue, item: Value) =>
    BigInt([...list].findLastIndex(isItem(item))),
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
  'list<T>::reverse(): list<T>': (list: ListValue) => new ComputedList([...list].toReversed()),
  'list<T>::distinct(): list<T>': distinct,
  'list<T>::first(): optional<T>': (list: ListValue) => new Optional([...list].at(0)),
  'list<T>::last(): optional<T>': (list: ListValue) => new Optional([...list].at(-1)),
  'sets.contains(list<T>, list<T>): bool': containsAll,
  'sets.equivalent(list<T>, list<T>): bool': (a: ListValue, b: ListValue) =>
    containsAll(a, b) && containsAll(b, a),
  'sets.intersects(list<T>, list<T>): bool': intersects,
};
