import type { ExpressionNode } from '../expression.ts';
import type { Overload } from '../overload.ts';
import type { Type } from '../type.ts';
import type { FieldRoute } from './field-route.ts';
import { scaled } from './amount.ts';
import { UNKNOWN, type Size } from './size.ts';

/** What is known of an argument of a call, or of an item of one. */
export interface Argument {
  readonly type: Type;
  readonly route: FieldRoute | undefined;
  /** As far as the expression and the schema tell. */
  readonly size: Size | undefined;
  /** Undefined for an item of an argument. */
  readonly node?: ExpressionNode;
}

/** One way in which a call may be understood. */
export interface CallView {
  readonly overload: Overload;
  /** Undefined where the function is no member. */
  readonly target: Argument | undefined;
  readonly args: readonly Argument[];
  /** The size that the schema gives what a route leads to. */
  sizeAt(route: FieldRoute | undefined): Size | undefined;
}

/** At most what a call itself costs, its arguments left out, and the size of its result. */
export interface CallEstimate {
  readonly cost: bigint;
  readonly size?: Size | undefined;
}

/** Undefined for what goes on as if nothing were known of the function. */
export type CallCost = (call: CallView) => CallEstimate | undefined;

/** What it costs to go through a text, for each character. */
export const TRAVERSAL = 0.1;
/** What it costs to match a pattern, for each character of it. */
export const PATTERN = 0.25;
export const NEW_LIST = 10n;
export const NEW_MAP = 30n;

/** An argument that is there, since the types of the call are checked. */
export const argument = ({ args }: CallView, i: number): Argument => args[i]!;

/** The size of an argument, anything from nothing to everything where none is known. */
export const sizeOf = ({ size }: Argument): Size => size ?? UNKNOWN;

/** The cost of going through a text or a list of a size. */
export const traversal = ({ max }: Size, factor = TRAVERSAL): bigint => scaled(max, factor);

/** The item of a list, of which only the schema knows more; undefined for what is no list. */
export function itemOf({ type, route }: Argument, call: CallView): Argument | undefined {
  const [item] = type.params;
  if (!item) return undefined;
  const further = route?.alone('@items');
  return { type: item, route: further, size: call.sizeAt(further) };
}
