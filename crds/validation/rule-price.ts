import type { Path } from '../../kube/problem.ts';
import type { CompiledRule, Estimate, BoundOverrides } from '../../schema/cel.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { timesWithin, type EnclosingCollection } from './repetition.ts';

/** Where a rule stands. */
export interface RuleSite {
  readonly schema: JSONSchemaProps;
  /** Of the schema, in the manifest. */
  readonly path: Path;
  /** The lists and mappings that the schema stands in, from the outermost. */
  readonly around: readonly EnclosingCollection[];
}

/** What an expression of a rule costs for one object in all. */
export interface ExpressionCost {
  readonly field: 'rule' | 'messageExpression';
  readonly estimate: Estimate;
  /** The lists and mappings that multiply it. */
  readonly around: readonly EnclosingCollection[];
  /** With other bounds, what it would cost if the schemas had those. */
  cost(others?: BoundOverrides): bigint;
}

/**
 * The rule is asked of each value that there may be, its message made once. A rule that is not
 * sound, or not read, has no price.
 *
 * Source: getExpressionCost of apiextensions-apiserver (validation.go)
 */
export function estimateCosts(rule: CompiledRule, { around }: RuleSite): readonly ExpressionCost[] {
  const now = rule.estimate();
  if (!now) return [];
  const given = (others?: BoundOverrides) => (others && rule.estimate(others)) ?? now;
  const price: ExpressionCost = {
    field: 'rule',
    estimate: now.rule,
    around,
    cost: (others) => {
      const { rule: once, count } = given(others);
      return once.cost * (timesWithin(around, others) ?? count);
    },
  };
  const { messageExpression: message } = now;
  if (!message) return [price];
  return [
    price,
    {
      field: 'messageExpression',
      estimate: message,
      around: [],
      cost: (others) => (given(others).messageExpression ?? message).cost,
    },
  ];
}
