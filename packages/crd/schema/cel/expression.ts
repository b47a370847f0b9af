import type { Overload } from './overload.ts';
import type { Type } from './type.ts';
import type { Value } from './value.ts';

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
export function childrenOf(node: ExpressionNode): readonly ExpressionNode[] {
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
