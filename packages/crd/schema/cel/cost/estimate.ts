import type {
  Bind,
  Call,
  Comprehension,
  ListNode,
  MapNode,
  ExpressionNode,
  Select,
} from '../expression.ts';
import type { Type } from '../type.ts';
import {
  greater,
  plus,
  sum,
  times,
  either,
  eitherEntry,
  exactly,
  ofAll,
  ONE,
  UNKNOWN,
  type EntrySizes,
  type Size,
  type SchemaSize,
} from './size.ts';
import {
  NEW_LIST,
  NEW_MAP,
  sizeOf,
  type Argument,
  type CallEstimate,
  type CallView,
  FieldRoute,
  roundCosts,
} from './call.ts';
import { coreCost } from './core-costs.ts';
import { libraryCosts, listCosts } from './library-costs.ts';

/** A variable within a part of an expression. */
interface Local {
  readonly route: FieldRoute | undefined;
  readonly size: Size | undefined;
  readonly entries: EntrySizes | undefined;
}

/** The API server's cost estimate of an expression. */
export interface Estimate {
  /** The upper bound, as a 64-bit number. */
  readonly cost: bigint;
  /** The parts of the schema whose sizes the estimate depends on. */
  readonly sizes: ReadonlySet<SchemaSize>;
}

/**
 * Estimates the maximum cost of a checked expression as the API server does. Each access and most calls cost one, calls
 * that scan texts cost more, and a macro body counts once for each item of its list. Both variables are of the schema
 * that the sizes belong to.
 *
 * Source: coster of github.com/google/cel-go/checker (cost.go), which Kubernetes 1.35 and 1.36 use in
 * version 0.26, with the sizes of apiextensions-apiserver (pkg/apiserver/schema/cel/compilation.go)
 */
export function estimate(node: ExpressionNode, schema: SchemaSize): Estimate {
  const estimator = new Estimator(schema);
  return { cost: estimator.estimateCost(node), sizes: estimator.usedSizes };
}

class Estimator {
  readonly usedSizes = new Set<SchemaSize>();
  readonly #schema: SchemaSize;
  readonly #routes = new Map<ExpressionNode, FieldRoute | undefined>();
  readonly #sizes = new Map<ExpressionNode, Size>();
  readonly #entries = new Map<ExpressionNode, EntrySizes>();
  readonly #locals = new Map<string, Local[]>();

  constructor(schema: SchemaSize) {
    this.#schema = schema;
  }

  estimateCost(node: ExpressionNode): bigint {
    switch (node.kind) {
      case 'const':
        return 0n;
      case 'ident':
        return this.#ident(node, plainName(node.name));
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'fold':
        return this.#fold(node);
      case 'bind':
        return this.#bind(node);
    }
  }

  #ident(node: ExpressionNode, name: string): bigint {
    const local = this.#local(node);
    this.#routes.set(node, local ? local.route : FieldRoute.from(name));
    return 1n;
  }

  #select(node: Select): bigint {
    if (node.typeNamed !== undefined) return this.#ident(node, node.typeNamed);
    const operand = this.estimateCost(node.operand);
    if (node.test) return operand;
    if (node.optional) {
      this.#estimateSize(node.operand);
      return plus(operand, 1n);
    }
    const { kind } = node.operand.type!;
    this.#routes.set(node, FieldRoute.next(this.#findRoute(node.operand), node.field));
    return kind === 'map' || kind === 'object' ? plus(operand, 1n) : operand;
  }

  #call(node: Call): bigint {
    const { name, target } = node;
    const args: Argument[] = [];
    const costs: bigint[] = [];
    for (const arg of node.args) {
      costs.push(this.estimateCost(arg));
      args.push(this.#argument(arg));
    }
    if (name === '_&&_' || name === '_||_') return sum(costs);
    if (node.overloads![0]!.function === 'dyn') {
      this.#copySizes(node, node.args[0]!);
      return plus(sum(costs), 1n);
    }
    const isMember = target !== undefined && !node.namespaced;
    const targetCost = isMember ? this.estimateCost(target) : 0n;
    const receiver = isMember ? this.#argument(target) : undefined;
    let most = 0n;
    let size: Size | undefined;
    for (const overload of node.overloads!) {
      const call = { overload, target: receiver, args, sizeAt: this.#sizeAt };
      const estimated = this.#callEstimate(node, call, costs);
      most = greater(most, estimated.cost);
      size = size && estimated.size ? either(size, estimated.size) : (size ?? estimated.size);
      const container = name === '_[_]' && overload.params[0]!.kind;
      if (container === 'list' || container === 'map') size = this.#index(node, container);
    }
    this.#setSize(node, size);
    return plus(targetCost, most);
  }

  /** Estimates a call, including its arguments. */
  #callEstimate(node: Call, call: CallView, costs: readonly bigint[]): CallEstimate {
    const [a, b, c] = node.args;
    const name = call.overload.function;
    if (name === '_?_:_') {
      this.#setEntries(node, eitherEntry(this.#estimateEntries(b!), this.#estimateEntries(c!)));
      const size = either(sizeOf(call.args[1]!), sizeOf(call.args[2]!));
      return { cost: costOfChoice(costs), size };
    }
    const known = listCosts.get(name)?.(call) ?? libraryCosts.get(name)?.(call);
    const { cost, size } = known ?? coreCost(call);
    if (name === '_+_' && size) {
      this.#setEntries(node, eitherEntry(this.#estimateEntries(a!), this.#estimateEntries(b!)));
    }
    return { cost: plus(cost, sum(costs)), size };
  }

  /** Records the route and returns the size of the result if the expression itself determines it. */
  #index(node: Call, container: 'list' | 'map'): Size | undefined {
    const step = container === 'list' ? '@items' : '@values';
    this.#routes.set(node, FieldRoute.next(this.#findRoute(node.args[0]!), step));
    return this.#estimateEntries(node.args[0]!)?.value;
  }

  #list(node: ListNode): bigint {
    const sizes: Size[] = [];
    let cost = NEW_LIST;
    for (const { value } of node.items) {
      cost = plus(cost, this.estimateCost(value));
      sizes.push(this.#sizeOrUnknown(value));
    }
    this.#setEntries(node, { container: 'list', key: ONE, value: ofAll(sizes) });
    return cost;
  }

  #map(node: MapNode): bigint {
    const keys: Size[] = [];
    const values: Size[] = [];
    let cost = NEW_MAP;
    for (const { key, value } of node.entries) {
      cost = sum([cost, this.estimateCost(key), this.estimateCost(value)]);
      keys.push(this.#sizeOrUnknown(key));
      values.push(this.#sizeOrUnknown(value));
    }
    this.#setEntries(node, { container: 'map', key: ofAll(keys), value: ofAll(values) });
    return cost;
  }

  #fold(node: Comprehension): bigint {
    const { fold, range, names, filter, body } = node;
    const rangeCost = this.estimateCost(range);
    const locals = this.#listLocals(node);
    names.forEach((name, i) => this.#push(name, locals[i]!));
    const filterCost = filter ? this.estimateCost(filter) : 0n;
    const round = plus(plus(filterCost, this.estimateCost(body)), BigInt(roundCosts[fold]));
    const size = this.#sizeOrUnknown(body);
    for (const name of names) this.#locals.get(name)!.pop();
    // The range is measured only after the body: see `FieldRoute`.
    const count = this.#sizeOrUnknown(range);
    if (isQuantifier(fold)) this.#setSize(node, ONE);
    else this.#setSize(node, count);
    if (fold === 'list') {
      const value = { min: 0n, max: size.max };
      this.#setEntries(node, { container: 'list', key: ONE, value });
    }
    return sum([rangeCost, ends[fold], times(count.max, round)]);
  }

  /** The variables of a macro: see `Comprehension`. */
  #listLocals({ range, names }: Comprehension): Local[] {
    const known = this.#estimateEntries(range);
    const isList = (known?.container ?? range.type!.kind) === 'list';
    const local = (step: string, size: Size | undefined): Local => ({
      route: FieldRoute.next(this.#findRoute(range), step),
      size,
      entries: undefined,
    });
    const key = (): Local => local(isList ? '@indices' : '@keys', known?.key);
    const value = (): Local => local(isList ? '@items' : '@values', known?.value);
    return names.length === 2 ? [key(), value()] : [isList ? value() : key()];
  }

  /** Estimates a binding, which the API server models as a loop over an empty list. */
  #bind(node: Bind): bigint {
    const init = this.estimateCost(node.init);
    this.#push(node.name, {
      route: this.#findRoute(node.init),
      size: this.#estimateSize(node.init),
      entries: this.#estimateEntries(node.init),
    });
    const body = this.estimateCost(node.body);
    this.#locals.get(node.name)!.pop();
    this.#copySizes(node, node.body);
    return sum([NEW_LIST, init, body]);
  }

  #push(name: string, local: Local): void {
    const locals = this.#locals.get(name) ?? [];
    locals.push(local);
    this.#locals.set(name, locals);
  }

  #local(node: ExpressionNode): Local | undefined {
    return node.kind === 'ident' ? this.#locals.get(plainName(node.name))?.at(-1) : undefined;
  }

  #argument(node: ExpressionNode): Argument {
    const size = this.#estimateSize(node);
    return { node, type: node.type!, route: this.#findRoute(node), size };
  }

  #findRoute(node: ExpressionNode): FieldRoute | undefined {
    const local = this.#local(node);
    return local ? local.route : this.#routes.get(node);
  }

  /** Returns the size of a node from the expression, else from the schema, else from its type. */
  #estimateSize(node: ExpressionNode): Size | undefined {
    const known = this.#sizes.get(node) ?? writtenSize(node);
    if (known) return known;
    const found = this.#sizeAt(this.#findRoute(node));
    if (found) this.#sizes.set(node, found);
    return found ?? (isScalar(node.type!) ? ONE : this.#local(node)?.size);
  }

  #sizeOrUnknown(node: ExpressionNode): Size {
    return this.#estimateSize(node) ?? UNKNOWN;
  }

  /** Returns the size at a route. The first name of a route is a variable and counts as the value itself. */
  readonly #sizeAt = (route: FieldRoute | undefined): Size | undefined => {
    if (!route) return undefined;
    let schema: SchemaSize | undefined = this.#schema;
    for (const name of route.steps().slice(1)) schema = schema?.step(name);
    if (schema) this.usedSizes.add(schema);
    return schema?.size;
  };

  #setSize(node: ExpressionNode, size: Size | undefined): void {
    if (size) this.#sizes.set(node, size);
  }

  #estimateEntries(node: ExpressionNode): EntrySizes | undefined {
    return this.#entries.get(node) ?? this.#local(node)?.entries;
  }

  #setEntries(node: ExpressionNode, entries: EntrySizes | undefined): void {
    if (entries) this.#entries.set(node, entries);
  }

  #copySizes(to: ExpressionNode, from: ExpressionNode): void {
    this.#setSize(to, this.#estimateSize(from));
    this.#setEntries(to, this.#estimateEntries(from));
  }
}

/** The cost of a macro before its first round and after its last. */
const ends: Readonly<Record<Comprehension['fold'], bigint>> = {
  all: 1n,
  exists: 1n,
  one: 2n,
  list: 1n + NEW_LIST,
  map: 1n + NEW_MAP,
  entries: 1n + NEW_MAP,
};

const isQuantifier = (fold: Comprehension['fold']): boolean =>
  fold === 'all' || fold === 'exists' || fold === 'one';

const plainName = (name: string): string => name.replace(/^\./, '');

/** A conditional costs its condition plus the more expensive branch. */
const costOfChoice = ([condition, yes, no]: readonly bigint[]): bigint =>
  plus(condition!, greater(yes!, no!));

function writtenSize(node: ExpressionNode): Size | undefined {
  switch (node.kind) {
    case 'const': {
      const { value } = node;
      if (typeof value === 'string') return exactly(BigInt([...value].length));
      return value instanceof Uint8Array ? exactly(BigInt(value.length)) : ONE;
    }
    case 'list':
      return exactly(BigInt(node.items.length));
    case 'map':
      return exactly(BigInt(node.entries.length));
    default:
      return undefined;
  }
}

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

const isScalar = ({ kind, params }: Type): boolean =>
  kind === 'optional' ? isScalar(params[0]!) : scalars.has(kind);
