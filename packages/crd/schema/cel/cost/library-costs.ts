import { CIDR, FORMAT, IP, isSame, QUANTITY, SEMVER, STRING, URL_TYPE } from '../type.ts';
import {
  plus,
  scaled,
  times,
  wrapped,
  exactly,
  ONE,
  product,
  together,
  type Size,
  MAX_COST,
} from './size.ts';
import {
  argument,
  itemOf,
  PATTERN,
  sizeOf,
  TRAVERSAL,
  traversal,
  type CallCost,
  type CallView,
  NEW_LIST,
  type Argument,
} from './call.ts';

const named = (names: string, cost: CallCost): [string, CallCost][] =>
  names.split(' ').map((name) => [name, cost]);

const nominal: CallCost = () => ({ cost: 1n });

/** Traverses the first argument. */
const throughFirst =
  (factor = TRAVERSAL): CallCost =>
  (call) => ({ cost: traversal(sizeOf(argument(call, 0)), factor) });

/** Traverses the target text; the result is no longer than it. */
const throughTarget: CallCost = ({ target }) => {
  if (!target) return undefined;
  return { cost: traversal(sizeOf(target)), size: sizeOf(target) };
};

const throughFirstToAsMuch: CallCost = (call) => {
  const size = sizeOf(argument(call, 0));
  return { cost: traversal(size), size };
};

/** Compares each item of a list; traverses a text. */
const overItems: CallCost = (call) => {
  const { target } = call;
  if (!target) return undefined;
  const item = itemOf(target, call);
  if (!item) return { cost: traversal(sizeOf(target)) };
  const isText = item.type.kind === 'string' || item.type.kind === 'bytes';
  const each = plus(1n, isText ? traversal(sizeOf(item)) : 0n);
  return { cost: times(sizeOf(target).max, each) };
};

/**
 * Returns how often a text is replaced in one of a given length, and how much of the text is kept. An empty text occurs
 * around every character. If `keeps` is set, the text is kept whole.
 */
function replaced(length: bigint, found: bigint, keeps: boolean): { count: bigint; kept: bigint } {
  if (found === 0n) return { count: plus(length, 1n), kept: length };
  if (keeps) return { count: 0n, kept: length };
  return { count: BigInt(Math.ceil(Number(length) / Number(found))), kept: 0n };
}

const replace: CallCost = (call) => {
  if (!call.target) return undefined;
  const text = sizeOf(call.target);
  const [found, by] = [sizeOf(argument(call, 0)), sizeOf(argument(call, 1))];
  const most = replaced(text.max, found.min, by.max <= found.min);
  const least = replaced(text.min, found.max, found.max <= by.min);
  const size = together(product({ min: least.count, max: most.count }, by), {
    min: least.kept,
    max: most.kept,
  });
  return { cost: traversal(text, 2 * TRAVERSAL), size };
};

const split: CallCost = ({ target, args }) => {
  if (!target) return undefined;
  const { max } = sizeOf(target);
  const limit = args[1]?.node;
  const given = limit?.kind === 'const' && typeof limit.value === 'bigint';
  const most = given ? wrapped(limit.value as bigint) : max;
  return { cost: traversal(sizeOf(target), 2 * TRAVERSAL), size: { min: 0n, max: most } };
};

const join: CallCost = (call) => {
  const { target, args } = call;
  if (!target) return undefined;
  const list = sizeOf(target);
  const item = itemOf(target, call);
  let size = item ? product(list, sizeOf(item)) : exactly(0n);
  const [separator] = args;
  if (separator) {
    const between = (items: bigint): bigint => (items > 0n ? items - 1n : 0n);
    const count = { min: between(list.min), max: between(list.max) };
    size = together(size, product(sizeOf(separator), count));
  }
  return { cost: traversal(size), size };
};

/** Estimates matching a text against a pattern. */
export function matching(text: Size, pattern: Size): bigint {
  return times(traversal(together(text, ONE)), scaled(pattern.max, PATTERN));
}

const find: CallCost = (call) => {
  if (!call.target) return undefined;
  const text = sizeOf(call.target);
  const cost = matching(text, sizeOf(argument(call, 0)));
  return { cost, size: { min: 0n, max: text.max } };
};

/** The bytes of the longest address, and of two of them. */
const ADDRESS = 16n;
const addresses = scaled(2n * ADDRESS, TRAVERSAL);

const parsed = (call: CallView): bigint =>
  isSame(call.overload.params[1]!, STRING) ? traversal(sizeOf(argument(call, 0))) : 0n;

const containsIp: CallCost = (call) => ({ cost: plus(addresses, parsed(call)) });

const containsCidr: CallCost = (call) => ({
  cost: plus(addresses + scaled(ADDRESS, TRAVERSAL) + 1n, parsed(call)),
});

const ip: CallCost = (call) =>
  isSame(call.overload.params[0]!, CIDR) ? { cost: 1n } : throughFirst()(call);

/** The longest pattern of a named format. */
const MAX_FORMAT_PATTERN_LENGTH = 128;
const MAX_FORMAT_LENGTH = 64n;

const validate: CallCost = (call) => ({
  cost: scaled(traversal(sizeOf(argument(call, 0))), MAX_FORMAT_PATTERN_LENGTH * PATTERN),
});

const equals: CallCost = (call) => {
  const [a, b] = [argument(call, 0), argument(call, 1)];
  if (!isSame(a.type, b.type)) return undefined;
  if ([IP, CIDR, QUANTITY, SEMVER].some((type) => isSame(type, a.type))) return { cost: 1n };
  if (isSame(FORMAT, a.type)) return { cost: scaled(MAX_FORMAT_LENGTH, TRAVERSAL) };
  if (isSame(URL_TYPE, a.type)) return { cost: traversal(b.size ?? ONE) };
  return undefined;
};

/** The cost of an authorization check: an expression can afford two. */
const AUTHORIZATION = 350_000n;

/**
 * The costs of Kubernetes' own functions, and of CEL functions that Kubernetes estimates itself, by name.
 *
 * Source: CostEstimator.EstimateCallCost of k8s.io/apiserver/pkg/cel/library (cost.go)
 */
export const libraryCosts: ReadonlyMap<string, CallCost> = new Map([
  ...named('check', () => ({ cost: AUTHORIZATION })),
  ...named('serviceAccount path group resource subresource namespace name', nominal),
  ...named('allowed reason error errored', nominal),
  ...named('fieldSelector labelSelector', (call) => {
    const { max } = sizeOf(argument(call, 0));
    const parsing = plus(scaled(max, TRAVERSAL), scaled(scaled(max, 0.5), 50));
    return { cost: plus(10n, parsing) };
  }),
  ...named('isSorted sum max min indexOf lastIndexOf', overItems),
  ...named('url jsonpatch.escapeKey', throughFirstToAsMuch),
  ...named('lowerAscii upperAscii substring trim', throughTarget),
  ...named('replace', replace),
  ...named('split', split),
  ...named('join', join),
  ...named('find findAll', find),
  ...named('cidr isIP isCIDR quantity isQuantity semver isSemver', throughFirst()),
  ...named('ip', ip),
  ...named('ip.isCanonical', throughFirst(2 * TRAVERSAL)),
  ...named('masked prefixLength family isUnspecified isLoopback', nominal),
  ...named('isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast', nominal),
  ...named('containsIP', containsIp),
  ...named('containsCIDR', containsCidr),
  ...named('validate', validate),
  ...named('format.named', nominal),
  ...named('sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan', nominal),
  ...named('compareTo add sub major minor patch', nominal),
  ...named('getScheme getHostname getHost getPort getEscapedPath getQuery', nominal),
  ...named('_==_', equals),
]);

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
  target && newList(sizeOf(target), depth ? Number(literal(depth, MAX_COST)) : 1);

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
  ['lists.range', (call) => newList(exactly(literal(argument(call, 0), MAX_COST)))],
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
