import { compileRule } from '../../../../schema/cel/rule.ts';
import type { JSONSchemaProps, ValidationRule } from '../../../../schema/jsonschema.ts';

/** What we say of a rule: nothing where it is sound, or why it is not, or why we do not know. */
export function ourRefusal(rule: ValidationRule, schema: JSONSchemaProps): string | undefined {
  const { errors, notChecked } = compileRule(rule, schema);
  return notChecked === undefined ? errors[0]?.message : `not checked: ${notChecked}`;
}

/** Whether we know what to say of a rule. */
export function isChecked(rule: ValidationRule, schema: JSONSchemaProps): boolean {
  return compileRule(rule, schema).notChecked === undefined;
}

/** What we say of a value under a rule, and on an update of the value before. */
export type OurAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly message: string }
  | { readonly notChecked: string };

export function ourAnswer(
  rule: ValidationRule,
  schema: JSONSchemaProps,
  value: unknown,
  old?: unknown,
): OurAnswer {
  return compileRule(rule, schema).evaluate(value, old);
}
