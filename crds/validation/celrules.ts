import { compileRule, wordingErrors } from '../../schema/cel.ts';
import { formatPath, show, type Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';
import { checkCost } from './celcost.ts';
import type { Findings } from '../../kube/finding.ts';

/** The fields of CEL rules, but for what CEL itself says of the expressions. */
export function checkRuleFields(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  for (const [i, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    for (const { field, message } of wordingErrors(rule, schema)) {
      const name = field === 'rule' ? 'rule-empty' : rules[field];
      findings.error([...path, 'x-kubernetes-validations', i, field], `cel-${name}`, message);
    }
  }
}

export interface RulePlace {
  /** The schema is of a whole object: `apiVersion`, `kind` and `metadata` are there. */
  readonly isObject: boolean;
  /** What keeps the value before from being found again. */
  readonly uncorrelatable: Path | undefined;
}

/** The expressions of CEL rules, in a schema that is sound. */
export function checkRules(
  schema: JSONSchemaProps,
  path: Path,
  findings: Findings,
  { isObject, uncorrelatable }: RulePlace,
): void {
  for (const [i, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = [...path, 'x-kubernetes-validations', i];
    const { errors, notChecked, usesOldSelf } = compileRule(rule, schema, { root: isObject });
    for (const { field, message } of errors) {
      if (field !== 'optionalOldSelf')
        findings.error([...at, field], `cel-${rules[field]}`, message);
    }
    if (notChecked !== undefined) {
      findings.unsure(
        [...at, 'rule'],
        'cel',
        `must be CEL that the API server takes (${notChecked})`,
      );
      continue;
    }
    if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      const message = `must be absent, since the rule does not use oldSelf, got ${rule.optionalOldSelf}`;
      findings.error([...at, 'optionalOldSelf'], 'cel-optional-old-self', message);
    }
    if (usesOldSelf && uncorrelatable) {
      const message = `must not use oldSelf below ${formatPath(uncorrelatable)}, where values cannot be found again, got ${show(rule.rule)}`;
      findings.error([...at, 'rule'], 'cel-old-self', message);
    }
    checkCost(rule, path, at, findings);
  }
}

const rules: Readonly<Record<string, string>> = {
  rule: 'rule',
  message: 'message',
  messageExpression: 'message-expression',
  reason: 'reason',
  fieldPath: 'field-path',
};
