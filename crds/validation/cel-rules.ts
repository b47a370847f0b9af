import { compileRule, wordingErrors } from '../../schema/cel.ts';
import { formatPath, show, type Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import type { RuleCosts } from './cel-cost.ts';
import type { Around } from './repetition.ts';
import { within, type Findings } from '../../kube/finding.ts';

/** The fields of CEL rules, but for what CEL itself says of the expressions. */
export function checkRuleFields(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  for (const [i, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = [...path, 'x-kubernetes-validations', i];
    for (const error of wordingErrors(rule, schema)) findings.add(within(at, error));
  }
}

export interface RulePlace {
  /** The schema that rules are compiled by instead, if any. */
  readonly as: JSONSchemaProps | undefined;
  /** The schema is of a whole object: `apiVersion`, `kind` and `metadata` are there. */
  readonly isObject: boolean;
  /** What keeps the value before from being found again. */
  readonly uncorrelatable: Path | undefined;
  /** The lists and mappings that the schema stands in, from the outermost. */
  readonly around: readonly Around[];
}

/** The expressions of CEL rules, in a schema that is sound. */
export function checkRules(
  schema: JSONSchemaProps,
  path: Path,
  findings: Findings,
  costs: RuleCosts,
  { as, isObject, uncorrelatable, around }: RulePlace,
): void {
  for (const [i, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = [...path, 'x-kubernetes-validations', i];
    const compiled = compileRule(rule, schema, { root: isObject, as });
    const { errors, notChecked, usesOldSelf } = compiled;
    for (const finding of [...errors, ...notChecked]) findings.add(within(at, finding));
    costs.check(compiled, at, { schema, path, around });
    if (notChecked.length > 0) continue;
    if (usesOldSelf && uncorrelatable) {
      const message = `must not use oldSelf below ${formatPath(uncorrelatable)}, where values cannot be found again, got ${show(rule.rule)}`;
      findings.error([...at, 'rule'], message, 'cel-old-self');
    }
  }
}
