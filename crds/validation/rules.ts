import { compileRule } from '../cel/rule.ts';
import { formatPath, show, type Path } from '../problem.ts';
import type { JSONSchemaProps, ValidationRule } from '../schema/jsonschema.ts';
import { checkCost } from './cost.ts';
import { findField } from './fieldpath.ts';
import type { Findings } from './finding.ts';
import { hasLineBreak, trimSpace } from './syntax.ts';

const REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/** The fields of CEL rules, but for what CEL itself says of the expressions. */
export function checkRuleFields(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  for (const [i, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = [...path, 'x-kubernetes-validations', i];
    checkTexts(rule, at, findings);
    const reason: string | undefined = rule.reason;
    if (reason !== undefined && !REASONS.includes(reason)) {
      const message = `must be one of ${REASONS.join(', ')}, got ${show(reason)}`;
      findings.error([...at, 'reason'], 'cel-reason', message);
    }
    checkFieldPath(schema, rule, [...at, 'fieldPath'], findings);
  }
}

function checkTexts(rule: Partial<ValidationRule>, at: Path, findings: Findings): void {
  const text = trimSpace(rule.rule ?? '');
  const message = trimSpace(rule.message ?? '');
  if (text === '') {
    findings.error([...at, 'rule'], 'cel-rule-empty', `must not be empty, got ${show(rule.rule)}`);
  } else if (rule.message !== undefined && message === '') {
    const got = `must have words in it or be absent, got ${show(rule.message)}`;
    findings.error([...at, 'message'], 'cel-message', got);
  } else if (hasLineBreak(message)) {
    findings.error([...at, 'message'], 'cel-message', `must be one line, got ${show(message)}`);
  } else if (hasLineBreak(text) && message === '') {
    const got = 'must be given, since the rule has more than one line, got nothing';
    findings.error([...at, 'message'], 'cel-message', got);
  }
  const { messageExpression } = rule;
  if (messageExpression !== undefined && trimSpace(messageExpression) === '') {
    const got = `must have words in it or be absent, got ${show(messageExpression)}`;
    findings.error([...at, 'messageExpression'], 'cel-message-expression', got);
  }
}

function checkFieldPath(
  schema: JSONSchemaProps,
  { fieldPath }: ValidationRule,
  at: Path,
  findings: Findings,
): void {
  if (fieldPath === undefined) return;
  const found = findField(fieldPath, schema, { brackets: true });
  if ('must' in found) {
    findings.error(at, 'cel-field-path', `must ${found.must}, got ${show(fieldPath)}`);
  } else if (hasLineBreak(fieldPath)) {
    findings.error(at, 'cel-field-path', `must be one line, got ${show(fieldPath)}`);
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
