import { enforcedFormat } from '../../schema/format.ts';
import { show, type Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import type { Findings } from '../../kube/finding.ts';

/**
 * Formats that the API server takes and does not look at.
 * Source: `pkg/apiserver/validation/formats.go` of apiextensions-apiserver.
 */
export function warnOfFormats(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  const { format, type = 'string', items, additionalProperties, not } = schema;
  if (format !== undefined) {
    if (enforcedFormat(schema) === '') {
      const message = `must be a format that the API server checks in ${type}s, got ${show(format)}`;
      findings.addWarning([...path, 'format'], message, 'format');
    }
  }
  const below = (inner: JSONSchemaProps, ...names: Path): void =>
    warnOfFormats(inner, [...path, ...names], findings);
  if (items) below(items, 'items');
  if (typeof additionalProperties === 'object') below(additionalProperties, 'additionalProperties');
  if (not) below(not, 'not');
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    below(field, 'properties', name);
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [i, clause] of (schema[junctor] ?? []).entries()) below(clause, junctor, i);
  }
}
