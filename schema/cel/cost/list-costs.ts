import { MOST, plus, scaled, wrapped } from './amount.ts';
import { argument, NEW_LIST, sizeOf, TRAVERSAL, type Argument, type CallCost } from './call.ts';
import { exactly, product, type Size } from './size.ts';

/** Estimates a list that is computed from another one, at a cost for each item. */
const newList = (size: Size, factor = 1): ReturnType<CallCost> => ({
  cost: plus(scaled(size.max, factor), 1n + NEW_LIST),
  size,
});

/** Returns the value of a literal number, at least 0; otherwise its maximum. */
function literal({ node }: Argument, otherwise: bigint): bigint {
  if (node?.kind !== 'const' || typeof node.value !== 'bigint') return otherwise;
  return node.value < 0n ? 0n : node.value;
}

const slice: CallCost = (call) => {
  if (!call.target) return undefined;
  const start = literal(argument(call, 0), 0n);
  const end = literal(argument(call, 1), sizeOf(call.target).max);
  return newList(exactly(wrapped(end - start)));
};

const flatten: CallCost = ({ target, args: [depth] }) =>
  target && newList(sizeOf(target), depth ? Number(literal(depth, MOST)) : 1);

/** Estimates a sort, which compares each item with all others. */
const sorted = (keys: Argument, factor = 2): ReturnType<CallCost> =>
  newList(product(sizeOf(keys), sizeOf(keys)), factor);

const sortedBy = (keys: Argument, list: string): ReturnType<CallCost> =>
  sorted(keys, list === 'string' || list === 'bytes' ? 2 + TRAVERSAL : 2);

const ofSets =
  (factor: number): CallCost =>
  (call) => {
    const { max } = product(sizeOf(argument(call, 0)), sizeOf(argument(call, 1)));
    return { cost: plus(scaled(max, factor), 1n) };
  };

/**
 * The costs of CEL's functions for lists and sets, by name.
 *
 * Source: version 3 of lists.go, and sets.go, of github.com/google/cel-go/ext
 */
export const listCosts: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['slice', slice],
  ['lists.range', (call) => newList(exactly(literal(argument(call, 0), MOST)))],
  ['reverse', ({ target }) => target && newList(sizeOf(target))],
  ['flatten', flatten],
  ['distinct', ({ target }) => target && sorted(target)],
  [
    'sort',
    ({ target, overload }) => target && sortedBy(target, overload.params[0]!.params[0]!.kind),
  ],
  ['@sortByKeys', (call) => sortedBy(argument(call, 0), call.overload.params[1]!.params[0]!.kind)],
  ['sets.contains', ofSets(1)],
  ['sets.intersects', ofSets(1)],
  ['sets.equivalent', ofSets(2)],
]);
