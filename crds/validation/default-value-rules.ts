import { compileRules } from '../../schema/cel.ts';
import type { Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import type { Findings } from '../../kube/finding.ts';

/**
 * Checks a default against the CEL rules of its schema and of those below: as an unchanged value,
 * and as a new one.
 */
export function checkDefaultRules(
  schema: JSONSchemaProps,
  value: unknown,
  path: Path,
  findings: Findings,
  root = schema['x-kubernetes-embedded-resource'] === true,
): void {
  if (value === null) return;
  for (const rule of compileRules(schema, { root })) {
    const found =
      rule.evaluate(value, value) ?? (rule.usesOldSelf ? rule.evaluate(value) : undefined);
    if (!found) continue;
    const message =
      found.severity === 'error'
        ? `must fit the CEL rules of its schema, got one that does not: ${found.message}`
        : `must fit the CEL rules (${found.message})`;
    findings.add({ ...found, path, rule: 'default-rules', message });
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return;
    for (const [i, item] of value.entries()) checkDefaultRules(items, item, [...path, i], findings);
  } else if (typeof value === 'object') {
    const { properties = {}, additionalProperties } = schema;
    for (const [name, field] of Object.entries(value as object) as [string, unknown][]) {
      const inner = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (typeof inner === 'object') checkDefaultRules(inner, field, [...path, name], findings);
    }
  }
}
