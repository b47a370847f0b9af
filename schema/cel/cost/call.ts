import type { ExpressionNode } from '../expression.ts';
import type { Overload } from '../overload.ts';
import type { Type } from '../type.ts';
import type { FieldRoute } from './field-route.ts';
import { scaled } from './amount.ts';
import { UNKNOWN, type Size } from './size.ts';

/** The known facts about an argument of a call, or about an item of one. */
export interface Argument {
  readonly type: Type;
  readonly route: FieldRoute | undefined;
  /** The size, if the expression or the schema determines it. */
  readonly size: Size | undefined;
  /** Undefined for an item of an argument. */
  readonly node?: ExpressionNode;
}

/** One interpretation of a call. */
export interface CallView {
  readonly overload: Overload;
  /** Undefined if the function is not a member. */
  readonly target: Argument | undefined;
  readonly args: readonly Argument[];
  /** Returns the size that the schema gives to the value at a route. */
  sizeAt(route: FieldRoute | undefined): Size | undefined;
}

/** The maximum cost of a call without its arguments, and the size of its result. */
export interface CallEstimate {
  readonly cost: bigint;
  readonly size?: Size | undefined;
}

/** Estimates a call. Undefined means that the default estimate applies. */
export type CallCost = (call: CallView) => CallEstimate | undefined;

/** The cost of traversing a text, per character. */
export const TRAVERSAL = 0.1;
/** The cost of matching a pattern, per character of the pattern. */
export const PATTERN = 0.25;
export const NEW_LIST = 10n;
export const NEW_MAP = 30n;

/** Returns an argument, which exists because the types of the call are checked. */
export const argument = ({ args }: CallView, i: number): Argument => args[i]!;

/** Returns the size of an argument; from zero to the maximum if it is unknown. */
export const sizeOf = ({ size }: Argument): Size => size ?? UNKNOWN;

/** Returns the cost of traversing a text or a list of this size. */
export const traversal = ({ max }: Size, factor = TRAVERSAL): bigint => scaled(max, factor);

/** Returns the item of a list, about which only the schema knows more; undefined for any other type. */
export function itemOf({ type, route }: Argument, call: CallView): Argument | undefined {
  const [item] = type.params;
  if (!item) return undefined;
  const further = route?.alone('@items');
  return { type: item, route: further, size: call.sizeAt(further) };
}
