import type { JSONSchemaProps, ValidationRule } from '../schema/jsonschema.ts';
import { fieldPathProblem } from './fieldpath.ts';

/** Why the API server refuses a rule, and the field of the rule that is at fault. */
export interface RuleError {
  readonly field:
    'rule' | 'message' | 'messageExpression' | 'fieldPath' | 'reason' | 'optionalOldSelf';
  /** `must be ..., got ...`. */
  readonly message: string;
}

const reasons = [
  'FieldValueInvalid',
  'FieldValueForbidden',
  'FieldValueRequired',
  'FieldValueDuplicate',
];

const isBlank = (text: string | undefined): boolean =>
  text !== undefined && text !== '' && text.trim() === '';

/** What is wrong with a rule before its expressions are read. */
export function wordingErrors(rule: ValidationRule, schema: JSONSchemaProps): RuleError[] {
  const errors: RuleError[] = [];
  const wrong = (field: RuleError['field'], message: string): void => {
    errors.push({ field, message });
  };
  const { message, messageExpression, reason, fieldPath } = rule;
  const said = message?.trim() ?? '';
  if ((rule.rule ?? '').trim() === '') wrong('rule', 'must be CEL, got nothing');
  else if (isBlank(message)) wrong('message', 'must be words or absent, got blanks');
  else if (said.includes('\n')) wrong('message', 'must be one line, got several');
  else if (said === '' && rule.rule.trim().includes('\n')) {
    wrong('message', 'must be words where the rule has several lines, got nothing');
  }
  if (isBlank(messageExpression)) wrong('messageExpression', 'must be CEL or absent, got blanks');
  if (reason !== undefined && !reasons.includes(reason)) {
    wrong('reason', `must be one of ${reasons.join(', ')}, got '${String(reason)}'`);
  }
  if (isBlank(fieldPath)) wrong('fieldPath', 'must be a path or absent, got blanks');
  else if (fieldPath?.includes('\n')) wrong('fieldPath', 'must be one line, got several');
  else if (fieldPath) {
    const problem = fieldPathProblem(fieldPath, schema);
    if (problem !== undefined) wrong('fieldPath', problem);
  }
  return errors;
}
