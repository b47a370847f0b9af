import {
  isFolded,
  isSetMembership,
  makeList,
  makeMap,
  distinctKeys,
  listPairs,
  quantify,
  listRounds,
  requireBool,
  type Slots,
  type Step,
} from './steps.ts';
import { findCallPrice } from './cost/call-price.ts';
import { NEW_LIST, NEW_MAP, loopConditionCosts, roundCosts } from './cost/call.ts';
import { index, ComputedList, lookUp, MapValue } from './collection.ts';
import type { Call, Comprehension, ExpressionNode, Select } from './expression.ts';
import { Failure, noSuchOverload } from './failure.ts';
import { kubernetes } from './library.ts';
import { withoutSchema } from './schema-collections.ts';
import { spend } from './spending.ts';
import { Optional, TypeValue, type Value } from './value.ts';

type SlotIndexes = ReadonlyMap<string, number>;

/** Compiles a checked expression into an executable step. The variables take the first slots, in their order. */
export function plan(node: ExpressionNode, variables: readonly string[]): Step {
  return planNode(node, new Map(variables.map((name, i) => [name, i])));
}

function planNode(node: ExpressionNode, places: SlotIndexes): Step {
  switch (node.kind) {
    case 'const': {
      const { value } = node;
      return () => value;
    }
    case 'ident': {
      const step = variable(node.name.replace(/^\./, ''), places);
      return isMaybeOptional(node) ? (slots) => forgetSchema(step(slots)) : step;
    }
    case 'select':
      if (node.typeNamed !== undefined) return variable(node.typeNamed, new Map());
      return select(node, container(node.operand, places));
    case 'call':
      return call(node, places);
    case 'list':
      return makeList(
        node.items.map(({ optional, value }) => ({ optional, step: planNode(value, places) })),
        isFolded(node) ? 0 : Number(NEW_LIST),
      );
    case 'map':
      return makeMap(
        node.entries.map(({ optional, key, value }) => ({
          optional,
          key: planNode(key, places),
          step: planNode(value, places),
        })),
        isFolded(node) ? 0 : Number(NEW_MAP),
      );
    case 'fold':
      return fold(node, places);
    case 'bind': {
      const place = places.size;
      const init = planNode(node.init, places);
      const body = planNode(node.body, withPlace(places, node.name, place));
      return (slots) => {
        slots[place] = init(slots);
        return body(slots);
      };
    }
  }
}

/** Adds a slot for a name. An inner name hides an outer name that is the same, and has its own slot. */
function withPlace(places: SlotIndexes, name: string, place: number): SlotIndexes {
  const inner = new Map(places);
  const hidden = inner.get(name);
  if (hidden !== undefined) inner.set(`${name} ${hidden}`, hidden);
  return inner.set(name, place);
}

function variable(name: string, places: SlotIndexes): Step {
  const place = places.get(name);
  if (place === undefined) {
    const type = new TypeValue(name);
    return () => type;
  }
  return (slots) => {
    spend(1);
    const value = slots[place];
    if (value === undefined) throw new Failure(`no such attribute(s): ${name}`);
    return value;
  };
}

const isMaybeOptional = ({ type }: ExpressionNode): boolean =>
  type!.kind === 'optional' || type!.kind === 'dyn';

/** Drops the schema of an optional value that is evaluated already, as the API server does. */
function forgetSchema(value: Value): Value {
  if (!(value instanceof Optional) || !value.hasValue) return value;
  return new Optional(withoutSchema(value.value));
}

/** Plans the operand of a field selection: a field that is itself optional keeps its schema. */
function container(node: ExpressionNode, places: SlotIndexes): Step {
  if (node.kind === 'call' && node.name === '_?_:_') {
    const [condition, yes, no] = node.args as [ExpressionNode, ExpressionNode, ExpressionNode];
    return conditional(
      planNode(condition, places),
      within(yes, container(yes, places)),
      within(no, container(no, places)),
    );
  }
  const step = planNode(node, places);
  const isField = (node.kind === 'select' && !node.test) || (node.kind === 'call' && isIndex(node));
  return isField || !isMaybeOptional(node) ? step : (slots) => forgetSchema(step(slots));
}

function select({ field, test, optional, operand: node }: Select, operand: Step): Step {
  if (test) return (slots) => isThere(operand(slots), field);
  return access(operand, () => field, optional, isRoute(node) ? 1 : 2);
}

/**
 * Whether the node is part of a route, so that its fields and items are resolved with it. Computed values are separate
 * steps.
 */
const isRoute = (node: ExpressionNode): boolean =>
  node.kind === 'ident' ||
  node.kind === 'select' ||
  (node.kind === 'call' && (isIndex(node) || node.name === '_?_:_'));

const isIndex = ({ name }: Call): boolean => name === '_[_]' || name === '_[?_]';

/** Whether the node begins with a variable, which costs nothing within another route. */
function isFromVariable(node: ExpressionNode): boolean {
  if (node.kind === 'ident') return true;
  if (node.kind === 'select') return !node.test && isFromVariable(node.operand);
  return node.kind === 'call' && isIndex(node) && isFromVariable(node.args[0]!);
}

/** Evaluates a node that is part of another route. */
function within(node: ExpressionNode, step: Step): Step {
  if (!isFromVariable(node)) return step;
  return (slots) => {
    spend(-1);
    return step(slots);
  };
}

function isThere(value: Value, field: string): boolean {
  if (value instanceof MapValue) return value.has(field);
  if (value instanceof Optional) return value.hasValue && isThere(value.value, field);
  return lookUp(value, field) !== undefined;
}

function access(operand: Step, key: Step, optional: boolean, cost: number): Step {
  return (slots) => {
    const value = operand(slots);
    spend(cost);
    if (value instanceof Optional) {
      return value.hasValue ? new Optional(lookUp(value.value, key(slots))) : Optional.none;
    }
    return optional ? new Optional(lookUp(value, key(slots))) : index(value, key(slots));
  };
}

function conditional(condition: Step, yes: Step, no: Step): Step {
  return (slots) => {
    const value = condition(slots);
    if (typeof value !== 'boolean') throw noSuchOverload();
    return value ? yes(slots) : no(slots);
  };
}

function call(node: Call, places: SlotIndexes): Step {
  const target = node.target && !node.namespaced ? [node.target] : [];
  const nodes = [...target, ...node.args];
  const steps = nodes.map((one) => planNode(one, places));
  const [a, b, c] = steps as [Step, Step, Step];
  switch (node.name) {
    case '_&&_':
      return either(false, a, b);
    case '_||_':
      return either(true, a, b);
    case '_?_:_':
      return conditional(a, within(nodes[1]!, b), within(nodes[2]!, c));
    case '_[_]':
    case '_[?_]': {
      const [of, key] = nodes as [ExpressionNode, ExpressionNode];
      const isOptional = node.name === '_[?_]';
      const isFree = isOptional && isFromVariable(key);
      const cost = (isRoute(of) ? 1 : 2) - (isFree ? 1 : 0);
      return access(container(of, places), within(key, b), isOptional, cost);
    }
    case 'or':
    case 'orValue':
      return orElse(node.name, a, b);
    default:
      return dispatch(node, steps);
  }
}

/** Evaluates `&&` and `||`: the result is the deciding value if one side has it, even if the other side fails. */
function either(decisive: boolean, left: Step, right: Step): Step {
  return (slots) => {
    let failure: Failure | undefined;
    try {
      const value = left(slots);
      if (value === decisive) return decisive;
      if (typeof value !== 'boolean') failure = noSuchOverload();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failure = error;
    }
    if (!failure) {
      const value = right(slots);
      if (typeof value !== 'boolean') throw noSuchOverload();
      return value;
    }
    try {
      if (right(slots) === decisive) return decisive;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    throw failure;
  };
}

function orElse(name: string, left: Step, right: Step): Step {
  return (slots) => {
    const value = left(slots);
    if (!(value instanceof Optional)) return value;
    if (!value.hasValue) return right(slots);
    return name === 'or' ? value : value.value;
  };
}

/**
 * Dispatches a call. A single overload is called directly; if the types left several, all overloads of the function are
 * tried.
 */
function dispatch(node: Call, steps: readonly Step[]): Step {
  const [only, second] = node.overloads!;
  const { function: name } = only!;
  const overloads = second ? kubernetes.findOverloads(name)! : [only!];
  const wrong = (args: readonly Value[]): Failure =>
    args.length === 1 ? new Failure(`no such overload: ${name}`) : noSuchOverload();
  const price = isSetMembership(node) || isFolded(node) ? () => 0 : findCallPrice(node.overloads!);
  if (overloads.length === 1 && steps.length === 1) {
    const [step] = steps;
    return (slots) => {
      const args = [step!(slots)];
      spend(price ? price(args) : 1);
      const value = only!.apply(args);
      if (value === undefined) throw wrong(args);
      return value;
    };
  }
  return (slots) => {
    const args = steps.map((step) => step(slots));
    spend(price ? price(args) : 1);
    for (const overload of overloads) {
      const value = overload.apply(args);
      if (value !== undefined) return value;
    }
    throw wrong(args);
  };
}

function fold(node: Comprehension, places: SlotIndexes): Step {
  const place = places.size;
  let inner = withPlace(places, node.names[0], place);
  const second = node.names[1];
  const secondPlace = inner.size;
  if (second !== undefined) inner = withPlace(inner, second, secondPlace);
  const range = planNode(node.range, places);
  const filter = node.filter && planNode(node.filter, inner);
  const body = planNode(node.body, inner);
  /** Sets the variables for each round in turn, and stops when `visit` returns true. */
  const each = (slots: Slots, visit: (key: Value) => boolean): void => {
    for (const [key, value] of listRounds(range(slots), second !== undefined)) {
      slots[place] = key;
      if (second !== undefined) slots[secondPlace] = value;
      if (visit(key)) return;
    }
  };
  if (node.fold === 'all' || node.fold === 'exists') {
    const { fold: kind } = node;
    return (slots) => quantify(kind === 'exists', each, slots, body, loopConditionCosts[kind]);
  }
  return gather(node.fold, each, filter, body);
}

/** Iterates over all rounds and collects the selected ones into a value. */
function gather(
  kind: Exclude<Comprehension['fold'], 'all' | 'exists'>,
  each: (slots: Slots, visit: (key: Value) => boolean) => void,
  filter: Step | undefined,
  body: Step,
): Step {
  const round = roundCosts[kind];
  /** A skipped round has no further cost. */
  const isChosen = (isTrue: boolean): boolean => {
    if (isTrue) spend(round);
    return isTrue;
  };
  const chosen = (slots: Slots): boolean => isChosen(!filter || requireBool(filter(slots)));
  switch (kind) {
    case 'one':
      return (slots) => {
        let count = 0;
        each(slots, () => {
          if (isChosen(requireBool(body(slots)))) count += 1;
          return false;
        });
        spend(2);
        return count === 1;
      };
    case 'list':
      return (slots) => {
        const items: Value[] = [];
        each(slots, () => {
          if (chosen(slots)) items.push(body(slots));
          return false;
        });
        spend(1);
        return new ComputedList(items);
      };
    default:
      return (slots) => {
        const pairs: [Value, Value][] = [];
        each(slots, (key) => {
          if (!chosen(slots)) return false;
          const value = body(slots);
          if (kind === 'map') pairs.push([key, value]);
          else pairs.push(...listPairs(value));
          return false;
        });
        spend(1);
        return distinctKeys(pairs);
      };
  }
}
