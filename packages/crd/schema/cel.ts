/** CEL rules: whether they are valid, their results for a value, and their cost. */
export type { Estimate } from './cel/cost/estimate.ts';
export type { SizeKeyword, BoundOverrides } from './cel/cost/size.ts';
export { AdmissionEvaluator } from './cel/admission-validations.ts';
export { createConditionChecker, type ConditionChecker } from './cel/compile.ts';
export { compileRule, compileRules, OUT_OF_BUDGET, type CompiledRule } from './cel/rule.ts';
export { findField, validateRuleFields } from './cel/rule-fields.ts';
export { isTypedFormat, visibleProperties } from './cel/schema-type.ts';
export {
  findRefused,
  implies,
  overlap,
  readComparedPart,
  readCondition,
  selectedFields,
  type Condition,
  type PartValues,
  type RulePart,
} from './cel/implication.ts';
export { evaluateAhead, withinObjectLimit } from './cel/spending.ts';
