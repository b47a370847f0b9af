import type { ExpressionNode, Comprehension } from '../expression.ts';
import type { Overload } from '../overload.ts';
import type { Type } from '../type.ts';
import { scaled, UNKNOWN, type Size } from './size.ts';

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

/** The cost of each round of a macro besides its filter and its body: see what it expands to in CEL. */
export const roundCosts: Readonly<Record<Comprehension['fold'], number>> = {
  all: 3,
  exists: 4,
  one: 2,
  list: 12,
  map: 3,
  entries: 2,
};

/** The part of that cost before the body, in which `all` and `exists` check whether to continue. */
export const loopConditionCosts = { all: 2, exists: 3 } as const;

/**
 * The path from a variable to a value: `self`, `hosts`, `@items`, `name`.
 *
 * The API server's estimate keeps routes in Go slices with spare capacity. Two routes that extend the same route share
 * that capacity, and the later one overwrites the earlier one. The estimate of a list depends on this (`all` reads its
 * range again after its body), so the capacity is shared here too.
 */
export class FieldRoute {
  readonly #room: string[];
  readonly #length: number;
  readonly #capacity: number;

  private constructor(room: string[], length: number, capacity: number) {
    this.#room = room;
    this.#length = length;
    this.#capacity = capacity;
  }

  static from(name: string): FieldRoute {
    return new FieldRoute([name], 1, 1);
  }

  /** Extends a route by one step; starts a new one if there is none. */
  static next(route: FieldRoute | undefined, step: string): FieldRoute {
    if (!route) return FieldRoute.from(step);
    const length = route.#length + 1;
    if (length <= route.#capacity) {
      route.#room[route.#length] = step;
      return new FieldRoute(route.#room, length, route.#capacity);
    }
    return new FieldRoute([...route.steps(), step], length, 2 * route.#capacity);
  }

  /** Extends the route by one step, with a capacity of its own. */
  alone(step: string): FieldRoute {
    return new FieldRoute([...this.steps(), step], this.#length + 1, this.#length + 1);
  }

  steps(): readonly string[] {
    return this.#room.slice(0, this.#length);
  }
}
