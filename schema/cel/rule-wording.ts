import type { JSONSchemaProps, ValidationRule } from '../json-schema.ts';
import { errorAt, type Finding } from '../../kube/finding.ts';
import { show } from '../../kube/problem.ts';
import { findField } from './field-path.ts';
import { hasLineBreak, trimSpace } from '../../kube/names.ts';

const rules = {
  rule: 'cel-rule-empty',
  message: 'cel-message',
  messageExpression: 'cel-message-expression',
  fieldPath: 'cel-field-path',
  reason: 'cel-reason',
} as const;

const reasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/**
 * Validates the fields of a rule before its expressions are parsed. Paths are relative to the rule.
 *
 * Source: ValidateCustomResourceDefinitionOpenAPISchema of apiextensions-apiserver
 */
export function validateRuleFields(
  rule: Partial<ValidationRule>,
  schema: JSONSchemaProps,
): readonly Finding[] {
  const errors: Finding[] = [];
  const wrong = (field: keyof typeof rules, must: string, got: unknown): void => {
    errors.push(errorAt([field], `must ${must}, got ${show(got)}`, rules[field]));
  };
  const { messageExpression, reason, fieldPath } = rule;
  const text = trimSpace(rule.rule ?? '');
  const message = trimSpace(rule.message ?? '');
  if (text === '') wrong('rule', 'not be empty', rule.rule);
  else if (rule.message && message === '') {
    wrong('message', 'have words in it or be absent', rule.message);
  } else if (hasLineBreak(message)) wrong('message', 'be one line', message);
  else if (hasLineBreak(text) && message === '') {
    wrong('message', 'be given, since the rule has more than one line', undefined);
  }
  if (messageExpression && trimSpace(messageExpression) === '') {
    wrong('messageExpression', 'have words in it or be absent', messageExpression);
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    wrong('reason', `be one of ${reasons.join(', ')}`, reason);
  }
  if (fieldPath) {
    const found = findField(fieldPath, schema, { brackets: true });
    if ('must' in found) wrong('fieldPath', found.must, fieldPath);
    else if (hasLineBreak(fieldPath)) wrong('fieldPath', 'be one line', fieldPath);
  }
  return errors;
}
