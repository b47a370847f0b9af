import type { Path } from '../../kube/problem.ts';
import type { CompiledRule, Estimate, BoundOverrides } from '../../schema/cel.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { timesWithin, type EnclosingCollection } from './repetition.ts';

/** The place of a rule. */
export interface RuleSite {
  readonly schema: JSONSchemaProps;
  /** The path of its schema in the manifest. */
  readonly path: Path;
  /** The lists and mappings that contain the schema, outermost first. */
  readonly around: readonly EnclosingCollection[];
}

/** The total cost of a rule's expression for one object. */
export interface ExpressionCost {
  readonly field: 'rule' | 'messageExpression';
  readonly estimate: Estimate;
  /** The lists and mappings that multiply the cost. */
  readonly around: readonly EnclosingCollection[];
  /** Returns the cost; with other bounds, the cost if the schemas had those. */
  cost(others?: BoundOverrides): bigint;
}

/**
 * Estimates the cost of a rule, which is evaluated for each possible value, while its message is
 * evaluated once. A rule that is invalid or could not be parsed has no cost.
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
