import type { Finding } from '@tenantry/kube/finding';
import { compileRule } from '@tenantry/crd/schema/cel/rule';
import type { JSONSchemaProps, ValidationRule } from '@tenantry/crd/schema/json-schema';

/** What we say of a rule: nothing where it is sound, or why it is not, or why we do not know. */
export function ourRefusal(rule: ValidationRule, schema: JSONSchemaProps): string | undefined {
  const { errors, notChecked } = compileRule(rule, schema);
  const [undecided] = notChecked;
  return undecided ? `not checked: ${undecided.message}` : errors[0]?.message;
}

/** Whether we know what to say of a rule. */
export function isChecked(rule: ValidationRule, schema: JSONSchemaProps): boolean {
  return compileRule(rule, schema).notChecked.length === 0;
}

/** What we say of a value under a rule, and on an update of the value before; nothing where it holds. */
export function ourAnswer(
  rule: ValidationRule,
  schema: JSONSchemaProps,
  value: unknown,
  old?: unknown,
): Finding | undefined {
  return compileRule(rule, schema).evaluate(value, old);
}
