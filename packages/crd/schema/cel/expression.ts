import type { Overload } from './overload.ts';
import type { Type } from './type.ts';
import type { Value } from './value.ts';
import { BrokenExpression } from './failure.ts';

/**
 * A parsed expression, macros expanded. `at` counts UTF-16 units from the start of the text; the
 * type checker fills `type` in, and for calls `overloads`: those that the types allow.
 */
export type ExpressionNode =
  Const | Ident | Select | Call | ListNode | MapNode | Comprehension | Bind;

interface NodeBase {
  readonly at: number;
  type?: Type;
}

interface Const extends NodeBase {
  readonly kind: 'const';
  readonly value: Value;
}

interface Ident extends NodeBase {
  readonly kind: 'ident';
  readonly name: string;
}

export interface Select extends NodeBase {
  readonly kind: 'select';
  readonly operand: ExpressionNode;
  readonly field: string;
  /** `has(operand.field)`: tests presence. */
  readonly test: boolean;
  /** `operand.?field`: optional selection. */
  readonly optional: boolean;
  /** The type that the qualified name `operand.field` refers to. */
  typeNamed?: string;
}

export interface Call extends NodeBase {
  readonly kind: 'call';
  readonly name: string;
  readonly target?: ExpressionNode | undefined;
  readonly args: readonly ExpressionNode[];
  overloads?: readonly Overload[];
  /** The target is part of the name: `optional.of(1)`. */
  namespaced?: boolean;
}

export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly items: readonly { readonly value: ExpressionNode; readonly optional: boolean }[];
}

export interface MapNode extends NodeBase {
  readonly kind: 'map';
  readonly entries: readonly {
    readonly key: ExpressionNode;
    readonly value: ExpressionNode;
    readonly optional: boolean;
  }[];
}

/** A macro that iterates over a list or a map. */
export interface Comprehension extends NodeBase {
  readonly kind: 'fold';
  /** `list` collects the bodies, `map` collects them by the first variable, `entries` joins maps. */
  readonly fold: 'all' | 'exists' | 'one' | 'list' | 'map' | 'entries';
  readonly range: ExpressionNode;
  /** One name: the item or the key. Two names: position and item, or key and value. */
  readonly names: readonly [string] | readonly [string, string];
  readonly filter?: ExpressionNode | undefined;
  readonly body: ExpressionNode;
}

/** A name for a value within an expression; Kubernetes' CEL has no syntax for it. */
export interface Bind extends NodeBase {
  readonly kind: 'bind';
  readonly name: string;
  readonly init: ExpressionNode;
  readonly body: ExpressionNode;
}

/** Returns the direct children of a node. */
export function listChildren(node: ExpressionNode): readonly ExpressionNode[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target && !node.namespaced ? [node.target, ...node.args] : node.args;
    case 'list':
      return node.items.map(({ value }) => value);
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'fold':
      return node.filter ? [node.range, node.filter, node.body] : [node.range, node.body];
    case 'bind':
      return [node.init, node.body];
    default:
      return [];
  }
}

/** The recursive rules of CEL's grammar. */
type GrammarRule = 'expression' | 'relation' | 'calculation' | 'member';

/** The maximum depth of the API server's parser. */
const MAX_DEPTH = 250;

/**
 * Counts the nesting depth of an expression as the API server does. Its first count is by grammar rule, during parsing.
 * Its second count is of all operators, fields, indices and member calls on the way to a value. A chain such as `a + b
 * + c` or `a.b.c` is one level deeper with each operator; chains of `&&` and `||` are not. Both counts limit the
 * recursion over a parsed expression.
 *
 * Source: recursionListener and parser.Visit of github.com/google/cel-go/parser (parser.go)
 */
export class Nesting {
  readonly #depths: Record<GrammarRule, number> = {
    expression: 0,
    relation: 0,
    calculation: 0,
    member: 0,
  };
  readonly #heights = new Map<ExpressionNode, number>();

  /**
   * Enters a rule. Throws BrokenExpression if the parser of the API server would give up. Returns the previous depth.
   */
  enter(rule: GrammarRule, at: number): number {
    const before = this.#depths[rule];
    if (before >= MAX_DEPTH) throw tooDeep(at);
    this.#depths[rule] = before + 1;
    return before;
  }

  /** Restores a depth that `enter` returned. */
  leave(rule: GrammarRule, depth: number): void {
    this.#depths[rule] = depth;
  }

  /** Runs `read` one level deeper. */
  within<T>(rule: GrammarRule, at: number, read: () => T): T {
    const before = this.enter(rule, at);
    const result = read();
    this.leave(rule, before);
    return result;
  }

  /** Counts a node as one level above its parts. */
  above<N extends ExpressionNode>(node: N, parts: readonly ExpressionNode[]): N {
    const height = this.#highest(parts) + 1;
    if (height > MAX_DEPTH) throw tooDeep(node.at);
    this.#heights.set(node, height);
    return node;
  }

  /** Counts a node at the depth of its parts. */
  around<N extends ExpressionNode>(node: N, parts: readonly ExpressionNode[]): N {
    const height = this.#highest(parts);
    if (height > 0) this.#heights.set(node, height);
    return node;
  }

  #highest(parts: readonly ExpressionNode[]): number {
    return parts.reduce((most, part) => Math.max(most, this.#heights.get(part) ?? 0), 0);
  }
}

function tooDeep(at: number): BrokenExpression {
  return new BrokenExpression(`must be nested at most ${MAX_DEPTH} deep, got more`, at);
}
