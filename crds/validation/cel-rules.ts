import { compileRule, validateRuleFields } from '../../schema/cel.ts';
import { formatPath, show, type Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import type { RuleCosts } from './cel-cost.ts';
import type { EnclosingCollection } from './repetition.ts';
import { prefixFinding, type Findings } from '../../kube/finding.ts';

/** Checks the fields of CEL rules, except what CEL itself checks in the expressions. */
export function checkRuleFields(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  for (const [i, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = [...path, 'x-kubernetes-validations', i];
    for (const error of validateRuleFields(rule, schema)) findings.add(prefixFinding(at, error));
  }
}

export interface RuleContext {
  /** The schema that rules are compiled with instead, if any. */
  readonly as: JSONSchemaProps | undefined;
  /** Whether the schema is of a whole object, with `apiVersion`, `kind` and `metadata`. */
  readonly isObject: boolean;
  /** The place that prevents finding the previous value, if any. */
  readonly uncorrelatable: Path | undefined;
  /** The lists and mappings that contain the schema, outermost first. */
  readonly around: readonly EnclosingCollection[];
}

/** Checks the expressions of CEL rules in a valid schema. */
export function checkRules(
  schema: JSONSchemaProps,
  path: Path,
  findings: Findings,
  costs: RuleCosts,
  { as, isObject, uncorrelatable, around }: RuleContext,
): void {
  for (const [i, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = [...path, 'x-kubernetes-validations', i];
    const compiled = compileRule(rule, schema, { root: isObject, as });
    const { errors, notChecked, usesOldSelf } = compiled;
    for (const finding of [...errors, ...notChecked]) findings.add(prefixFinding(at, finding));
    costs.check(compiled, at, { schema, path, around });
    if (notChecked.length > 0) continue;
    if (usesOldSelf && uncorrelatable) {
      const message = `must not use oldSelf below ${formatPath(uncorrelatable)}, where values cannot be found again, got ${show(rule.rule)}`;
      findings.addError([...at, 'rule'], message, 'cel-old-self');
    }
  }
}
