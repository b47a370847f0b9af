import { concat, type ListValue, type MapValue, ComputedList } from '../collection.ts';
import { Failure } from '../failure.ts';
import type { Functions } from '../overload.ts';
import {
  compare,
  Duration,
  equal,
  equalIfComparable,
  int,
  Timestamp,
  uint,
  type Uint,
  type Value,
  Optional,
  BoxedValue,
} from '../value.ts';

const ordered = ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'timestamp', 'duration'];
const numeric = ['int', 'uint', 'double'];

function comparison(sign: string, accepts: (order: number) => boolean): Functions {
  const call = (a: Value, b: Value): Value => accepts(compare(a, b));
  return Object.fromEntries(
    ordered.map((type) => [`_${sign}_(${type}, ${type}): bool`, call]),
  ) as Functions;
}

function comparisonAcross(sign: string, accepts: (order: number) => boolean): Functions {
  const call = (a: Value, b: Value): Value => accepts(compare(a, b));
  const pairs = numeric.flatMap((a) => numeric.filter((b) => b !== a).map((b) => `${a}, ${b}`));
  return Object.fromEntries(pairs.map((pair) => [`_${sign}_(${pair}): bool`, call])) as Functions;
}

function addBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const sum = new Uint8Array(a.length + b.length);
  sum.set(a);
  sum.set(b, a.length);
  return sum;
}

const divided = (by: bigint, what = 'division by zero'): bigint => {
  if (by === 0n) throw new Failure(what);
  return by;
};

const REMAINDER = 'modulus by zero';

/**
 * The operators of CEL. The plan evaluates `&&`, `||`, `?:` and `[]`; they are declared here for their types.
 *
 * Source: https://github.com/google/cel-spec/blob/master/doc/langdef.md#list-of-standard-definitions
 */
export const operators: Functions = {
  '_?_:_(bool, A, A): A': null,
  '_&&_(bool, bool): bool': null,
  '_||_(bool, bool): bool': null,
  '!_(bool): bool': (a: boolean) => !a,
  '_==_(A, A): bool': equal,
  // Values that cannot be compared are unequal (cel-go, `evalNe`), whereas `==` is an error.
  '_!=_(A, A): bool': (a: Value, b: Value) => equalIfComparable(a, b) !== true,
  ...comparison('<', (order) => order < 0),
  ...comparison('<=', (order) => order <= 0),
  ...comparison('>', (order) => order > 0),
  ...comparison('>=', (order) => order >= 0),
  '_+_(bytes, bytes): bytes': addBytes,
  '_+_(double, double): double': (a: number, b: number) => a + b,
  '_+_(duration, duration): duration': (a: Duration, b: Duration) =>
    new Duration(a.nanos + b.nanos),
  '_+_(duration, timestamp): timestamp': (a: Duration, b: Timestamp) => later(b, a.nanos),
  '_+_(timestamp, duration): timestamp': (a: Timestamp, b: Duration) => later(a, b.nanos),
  '_+_(int, int): int': (a: bigint, b: bigint) => int(a + b),
  '_+_(list<A>, list<A>): list<A>': concat,
  '_+_(string, string): string': (a: string, b: string) => a + b,
  '_+_(uint, uint): uint': (a: Uint, b: Uint) => uint(a.value + b.value),
  '_-_(double, double): double': (a: number, b: number) => a - b,
  '_-_(duration, duration): duration': (a: Duration, b: Duration) =>
    new Duration(a.nanos - b.nanos),
  '_-_(int, int): int': (a: bigint, b: bigint) => int(a - b),
  '_-_(timestamp, duration): timestamp': (a: Timestamp, b: Duration) => later(a, -b.nanos),
  '_-_(timestamp, timestamp): duration': (a: Timestamp, b: Timestamp) =>
    new Duration(a.nanos - b.nanos),
  '_-_(uint, uint): uint': (a: Uint, b: Uint) => uint(a.value - b.value),
  '_*_(double, double): double': (a: number, b: number) => a * b,
  '_*_(int, int): int': (a: bigint, b: bigint) => int(a * b),
  '_*_(uint, uint): uint': (a: Uint, b: Uint) => uint(a.value * b.value),
  '_/_(double, double): double': (a: number, b: number) => a / b,
  '_/_(int, int): int': (a: bigint, b: bigint) => int(a / divided(b)),
  '_/_(uint, uint): uint': (a: Uint, b: Uint) => uint(a.value / divided(b.value)),
  '_%_(int, int): int': (a: bigint, b: bigint) => remainder(a, b),
  '_%_(uint, uint): uint': (a: Uint, b: Uint) => uint(a.value % divided(b.value, REMAINDER)),
  '-_(double): double': (a: number) => -a,
  '-_(int): int': (a: bigint) => int(-a),
  '_[_](list<A>, int): A': null,
  '_[_](map<A, B>, A): B': null,
  '@in(A, list<A>): bool': (value: Value, list: ListValue) => list.contains(value),
  '@in(A, map<A, B>): bool': (key: Value, map: MapValue) => map.has(key),
};

/** Comparisons between numbers of different types, which a CEL environment can leave out. */
export const operatorsAcross: Functions = {
  ...comparisonAcross('<', (order) => order < 0),
  ...comparisonAcross('<=', (order) => order <= 0),
  ...comparisonAcross('>', (order) => order > 0),
  ...comparisonAcross('>=', (order) => order >= 0),
};

const later = (time: Timestamp, nanos: bigint): Timestamp =>
  new Timestamp(time.nanos + nanos, time.offset);

/** Returns the remainder. As in Go, dividing the smallest integer by -1 is an overflow, also for the remainder. */
function remainder(a: bigint, b: bigint): bigint {
  int(a / divided(b, REMAINDER));
  return a % b;
}

function isZero(value: Value): boolean {
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof BoxedValue) return value.isZero();
  return value === null || value === '' || value === 0 || value === 0n || value === false;
}

function unwrap(list: ListValue): ComputedList {
  const values: Value[] = [];
  for (const item of list) {
    if (!(item instanceof Optional)) throw new Failure(`value ${String(item)} is not optional`);
    if (item.hasValue) values.push(item.value);
  }
  return new ComputedList(values);
}

/** The functions of optional values. The plan evaluates `or`, `orValue` and the access to the contents. */
export const optionals: Functions = {
  'optional.of(V): optional<V>': (value: Value) => new Optional(value),
  'optional.ofNonZeroValue(V): optional<V>': (value: Value) =>
    isZero(value) ? Optional.none : new Optional(value),
  'optional.none(): optional<V>': () => Optional.none,
  'optional.unwrap(list<optional<V>>): list<V>': unwrap,
  'list<optional<V>>::unwrapOpt(): list<V>': unwrap,
  'optional<V>::value(): V': (value: Optional) => value.value,
  'optional<V>::hasValue(): bool': (value: Optional) => value.hasValue,
  'optional<V>::or(optional<V>): optional<V>': null,
  'optional<V>::orValue(V): V': null,
  '_[?_](list<V>, int): optional<V>': null,
  '_[?_](optional<list<V>>, int): optional<V>': null,
  '_[?_](map<K, V>, K): optional<V>': null,
  '_[?_](optional<map<K, V>>, K): optional<V>': null,
  '_[_](optional<list<V>>, int): optional<V>': null,
  '_[_](optional<map<K, V>>, K): optional<V>': null,
};
