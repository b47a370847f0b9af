import { ComputedList, type ListValue } from '../collection.ts';
import { Failure } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { Optional, BoxedValue, type Value } from '../value.ts';

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
