import { lesser, scaled, times, wrapped, together } from './size.ts';
import {
  argument,
  sizeOf,
  TRAVERSAL,
  traversal,
  type CallCost,
  type CallEstimate,
  type CallView,
} from './call.ts';
import { matching } from './library-costs.ts';

/** Applies a cost only to texts, and to bytes if they are included. */
const ofText =
  (cost: CallCost, kinds: readonly string[] = ['string']): CallCost =>
  (call) =>
    kinds.includes(call.overload.params[0]!.kind) ? cost(call) : undefined;

/** A comparison traverses the shorter of its two operands. */
const comparison: CallCost = (call) => {
  const [a, b] = [sizeOf(argument(call, 0)), sizeOf(argument(call, 1))];
  return { cost: scaled(lesser(a.max, b.max), TRAVERSAL) };
};

const startsWith: CallCost = (call) => ({ cost: traversal(sizeOf(argument(call, 0))) });

const contains: CallCost = (call) => {
  if (!call.target) return undefined;
  const part = traversal(sizeOf(argument(call, 0)));
  return { cost: times(traversal(sizeOf(call.target)), part) };
};

const matches: CallCost = (call) =>
  call.target && { cost: matching(sizeOf(call.target), sizeOf(argument(call, 0))) };

/** Formatting; the maximum size of the result is unknown. */
const format: CallCost = ({ target }) => target && { cost: traversal(sizeOf(target)) };

const isIn: CallCost = (call) =>
  call.overload.params[1]!.kind === 'list'
    ? { cost: traversal(sizeOf(argument(call, 1)), 1) }
    : undefined;

const add: CallCost = (call) => {
  const { kind } = call.overload.params[0]!;
  const size = together(sizeOf(argument(call, 0)), sizeOf(argument(call, 1)));
  if (kind === 'list') return { cost: 1n, size };
  return kind === 'string' || kind === 'bytes' ? { cost: traversal(size), size } : undefined;
};

/** Conversion to bytes: at most four for each character. */
const bytes: CallCost = (call) => {
  const size = sizeOf(argument(call, 0));
  return { cost: traversal(size), size: { min: size.min, max: wrapped(size.max * 4n) } };
};

const string: CallCost = (call) => {
  const size = sizeOf(argument(call, 0));
  return { cost: traversal(size), size: { min: size.min / 4n, max: size.max } };
};

/** Quoting: at most an escape for each character, plus two quotes. */
const quote: CallCost = (call) => {
  const size = sizeOf(argument(call, 0));
  const quoted = { min: wrapped(size.min + 2n), max: wrapped(size.max * 2n + 2n) };
  return { cost: traversal(size), size: quoted };
};

const anyText = ['string', 'bytes'];

/** The costs of CEL's own functions that depend on the arguments. */
const costs: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['format', format],
  ['bytes', ofText(bytes)],
  ['string', ofText(string, ['bytes'])],
  ['strings.quote', quote],
  ['startsWith', startsWith],
  ['endsWith', startsWith],
  ['@in', isIn],
  ['matches', matches],
  ['contains', contains],
  ['_+_', add],
  ['_==_', comparison],
  ['_!=_', comparison],
  ...['_<_', '_<=_', '_>_', '_>=_'].map((name): [string, CallCost] => [
    name,
    ofText(comparison, anyText),
  ]),
]);

/**
 * Estimates a call of one of CEL's own functions, without its arguments: 1 for most of them.
 *
 * Source: coster.functionCost of github.com/google/cel-go/checker (cost.go)
 */
export function coreCost(call: CallView): CallEstimate {
  return costs.get(call.overload.function)?.(call) ?? { cost: 1n };
}
