import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import { compileRule } from '../../../schema/cel/rule.ts';

/** Returns the schema of a map's values, if there is one. */
export function valuesOf({ additionalProperties }: JSONSchemaProps): JSONSchemaProps | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Returns the CEL rules of a schema that a value violates. */
export function brokenRules(schema: JSONSchemaProps, value: unknown): string[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => {
    const finding = compileRule(rule, schema).evaluate(value);
    if (!finding) return [];
    if (finding.severity === 'not-checked') throw new Error(`${rule.rule}: ${finding.message}`);
    return [rule.rule];
  });
}
