import { ComputedMap, ComputedList } from './collection.ts';
import type { Call, ListNode, ExpressionNode } from './expression.ts';
import { Failure } from './failure.ts';
import type { Step } from './iteration.ts';
import { spend } from './spending.ts';
import { Optional, typeNameOf, type Value } from './value.ts';

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

const isConversion = ({ name, target, args }: Call): boolean =>
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
