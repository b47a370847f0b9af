import type { JSONSchemaProps, ValidationRule } from '../jsonschema.ts';
import { show } from '../../kube/problem.ts';
import { findField } from './fieldpath.ts';
import { hasLineBreak, trimSpace } from '../../kube/names.ts';

/** Why the API server refuses a rule, and the field of the rule that is at fault. */
export interface RuleError {
  readonly field:
    'rule' | 'message' | 'messageExpression' | 'fieldPath' | 'reason' | 'optionalOldSelf';
  /** `must be ..., got ...`. */
  readonly message: string;
}

const reasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/**
 * What is wrong with a rule before its expressions are read.
 * Source: ValidateCustomResourceDefinitionOpenAPISchema of apiextensions-apiserver
 */
export function wordingErrors(
  rule: Partial<ValidationRule>,
  schema: JSONSchemaProps,
): readonly RuleError[] {
  const errors: RuleError[] = [];
  const wrong = (field: RuleError['field'], must: string, got: unknown): void => {
    errors.push({ field, message: `must ${must}, got ${show(got)}` });
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
