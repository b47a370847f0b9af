import { ListValue, MapValue } from '../collection.ts';
import type { Overload } from '../overload.ts';
import { takeSteps } from '../spending.ts';
import { formatCost } from '../functions/formats.ts';
import { Optional, type Value } from '../value.ts';
import { NEW_LIST, PATTERN, TRAVERSAL } from './call.ts';

/** Returns the actual cost of a call for its argument values, before the call. */
type CallPrice = (args: readonly Value[]) => number;

/** Returns the number of characters, bytes, items or entries of a value; 1 for a value without a size. */
function sizeOfValue(value: Value): number {
  if (typeof value === 'string') return characters(value);
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  if (value instanceof Uint8Array) return value.length;
  return value instanceof Optional && value.hasValue ? sizeOfValue(value.value) : 1;
}

function characters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += text.codePointAt(i)! > 0xffff ? 2 : 1) count += 1;
  return count;
}

const traversal = (size: number, factor = TRAVERSAL): number => Math.ceil(size * factor);

const through =
  (factor = TRAVERSAL, argument = 0): CallPrice =>
  (args) =>
    traversal(sizeOfValue(args[argument]!), factor);

const shorter: CallPrice = ([a, b]) => traversal(Math.min(sizeOfValue(a!), sizeOfValue(b!)));

const both: CallPrice = ([a, b]) => traversal(sizeOfValue(a!) + sizeOfValue(b!));

const matching: CallPrice = ([text, pattern]) =>
  traversal(1 + sizeOfValue(text!)) * traversal(sizeOfValue(pattern!), PATTERN);

const contains: CallPrice = ([text, part]) =>
  traversal(sizeOfValue(text!)) * traversal(sizeOfValue(part!));

const isText = (kind: string | undefined): boolean => kind === 'string' || kind === 'bytes';

/** Returns the price of CEL's own functions that do not cost 1, by overload. */
function coreCallPrice({ function: name, params }: Overload): CallPrice | undefined {
  const kind = params[0]?.kind;
  switch (name) {
    case 'startsWith':
    case 'endsWith':
    case 'strings.quote':
    case 'format':
      return through();
    case 'bytes':
      return kind === 'string' ? through() : undefined;
    case 'string':
      return kind === 'bytes' ? through() : undefined;
    case '@in':
      return params[1]!.kind === 'list' ? through(1, 1) : undefined;
    case '_==_':
    case '_!=_':
      return shorter;
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return isText(kind) ? shorter : undefined;
    case '_+_':
      return isText(kind) ? both : undefined;
    case 'matches':
      return matching;
    case 'contains':
      return contains;
    default:
      return undefined;
  }
}

const LIST = Number(NEW_LIST);

/** The base cost of a list that is computed from others, besides its items. */
const allocation = 1 + LIST;

/** The price of comparing each item of a list with all others. */
const selfCompared =
  (argument: number): CallPrice =>
  (args) => {
    const list = args[argument] as ListValue;
    const first = list.size > 0 ? list.at(0) : undefined;
    const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + TRAVERSAL : 2;
    return Math.floor(list.size * list.size * factor) + allocation;
  };

const ofSets =
  (factor: number): CallPrice =>
  ([a, b]) =>
    1 + sizeOfValue(a!) * sizeOfValue(b!) * factor;

const newListOf =
  (count: (args: readonly Value[]) => number): CallPrice =>
  (args) =>
    Math.max(0, count(args)) + allocation;

const listPrices: ReadonlyMap<string, CallPrice> = new Map<string, CallPrice>([
  ['slice', newListOf(([, start, end]) => Number(end) - Number(start))],
  ['lists.range', newListOf(([count]) => Number(count))],
  ['reverse', newListOf(([list]) => sizeOfValue(list!))],
  ['flatten', newListOf(([list, depth = 1n]) => Math.floor(sizeOfValue(list!) * Number(depth)))],
  ['distinct', selfCompared(0)],
  ['sort', selfCompared(0)],
  ['@sortByKeys', selfCompared(1)],
  ['sets.contains', ofSets(1)],
  ['sets.intersects', ofSets(1)],
  ['sets.equivalent', ofSets(2)],
]);

/** Returns the cost of traversing a value with everything in it. */
function traversed(value: Value): number {
  takeSteps();
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * TRAVERSAL);
  if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL);
  if (value instanceof ListValue) return sumOver(value, traversed);
  if (!(value instanceof MapValue)) return 1;
  return sumOver(value.keys(), (key) => traversed(key) + traversed(value.find(key)!));
}

function sumOver(values: Iterable<Value>, price: (value: Value) => number): number {
  let total = 0;
  for (const value of values) total += price(value);
  return total;
}

const join: CallPrice = ([list, separator]) => {
  const { size } = list as ListValue;
  const items = sumOver(list as ListValue, sizeOfValue);
  const between = separator === undefined ? 0 : sizeOfValue(separator) * Math.max(0, size - 1);
  return traversal(items + between, 2 * TRAVERSAL);
};

/** The bytes of an IPv4 address; an IPv6 address costs more. */
const ADDRESS = 4;
const addresses = traversal(2 * ADDRESS);

const containsAddress =
  (cost: number): CallPrice =>
  ([, other]) =>
    cost + (typeof other === 'string' ? traversal(characters(other)) : 0);

const validate: CallPrice = ([format, text]) =>
  traversal(1 + sizeOfValue(text!)) * formatCost(format!);

const each = (names: string, price: CallPrice): [string, CallPrice][] =>
  names.split(' ').map((name) => [name, price]);

/** The prices of Kubernetes' own functions that do not cost 1. */
const libraryPrices: ReadonlyMap<string, CallPrice> = new Map([
  ...each('isSorted sum max min indexOf lastIndexOf', ([value]) => traversed(value!)),
  ...each('url lowerAscii upperAscii substring trim jsonpatch.escapeKey', through()),
  ...each('replace split', through(2 * TRAVERSAL)),
  ...each('join', join),
  ...each('find findAll', matching),
  ...each('cidr isIP isCIDR quantity isQuantity semver isSemver', through()),
  ...each('ip', through()),
  ...each('containsIP', containsAddress(addresses)),
  ...each('containsCIDR', containsAddress(addresses + traversal(ADDRESS) + 1)),
  ...each('validate', validate),
  ...each('ip.isCanonical', through(2 * TRAVERSAL)),
]);

/**
 * Finds the price of a function's calls if it depends on the values; undefined if each call costs 1. If the types of an
 * expression leave several overloads, only Kubernetes' own functions have another price.
 *
 * Source: CostTracker.costCall of github.com/google/cel-go/interpreter (runtimecost.go), lists.go and sets.go
 * of github.com/google/cel-go/ext, and CostEstimator.CallCost of k8s.io/apiserver/pkg/cel/library (cost.go)
 */
export function findCallPrice(overloads: readonly Overload[]): CallPrice | undefined {
  const [first, second] = overloads;
  const name = first!.function;
  if (name === 'ip' && first!.params[0]!.kind !== 'string') return undefined;
  const known = libraryPrices.get(name);
  if (known || second) return known;
  return listPrices.get(name) ?? coreCallPrice(first!);
}
