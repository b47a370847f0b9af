import type { ExpressionNode } from './expression.ts';
import { BrokenExpression } from './failure.ts';

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
