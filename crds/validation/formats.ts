import { show, type Path } from '../problem.ts';
import type { JSONSchemaProps } from '../schema/jsonschema.ts';
import type { Findings } from './finding.ts';

/** Formats of strings that the API server checks; dashes do not count. */
const ofStrings = new Set(
  [
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13',
    'creditcard ssn hexcolor rgbcolor byte password date duration datetime k8sshortname k8slongname',
  ].flatMap((line) => line.split(' ')),
);

const ofNumbers: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/**
 * Formats that the API server takes and does not look at.
 * Source: `pkg/apiserver/validation/formats.go` of apiextensions-apiserver.
 */
export function warnOfFormats(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  const { format, type = 'string', items, additionalProperties, not } = schema;
  if (format !== undefined) {
    const known =
      type === 'string'
        ? ofStrings.has(format.replaceAll('-', ''))
        : ofNumbers[type]?.includes(format);
    if (!known) {
      const message = `must be a format that the API server checks in ${type}s, got ${show(format)}`;
      findings.warn([...path, 'format'], 'format', message);
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
