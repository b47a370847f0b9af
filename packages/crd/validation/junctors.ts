import { show, type Path } from '@tenantry/kube/problem';
import { compilePattern } from '../schema/pattern.ts';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import type { Findings } from '@tenantry/kube/finding';

/** The clauses that spell out `x-kubernetes-int-or-string`, and may therefore have types. */
interface Spelled {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

const NOT_SPELLED: Spelled = { anyOf: false, firstAllOf: false };

/** Fields that are not allowed below allOf, anyOf, oneOf and not, because they define what the value is. */
const outsideOnly = [
  'type',
  'additionalProperties',
  'default',
  'title',
  'description',
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;

/** Checks the pattern of a schema, and the clauses below its allOf, anyOf, oneOf and not. */
export function checkValues(
  schema: JSONSchemaProps,
  path: Path,
  findings: Findings,
  spelled: Spelled = NOT_SPELLED,
): void {
  if (!spelled.anyOf) {
    for (const [i, clause] of (schema.anyOf ?? []).entries()) {
      checkClause(clause, [...path, 'anyOf', i], findings);
    }
  }
  for (const [i, clause] of (schema.allOf ?? []).entries()) {
    const anyOf = spelled.firstAllOf && i === 0;
    checkClause(clause, [...path, 'allOf', i], findings, { anyOf, firstAllOf: false });
  }
  for (const [i, clause] of (schema.oneOf ?? []).entries()) {
    checkClause(clause, [...path, 'oneOf', i], findings);
  }
  if (schema.not) checkClause(schema.not, [...path, 'not'], findings);
  if (schema.pattern !== undefined) {
    const { error } = compilePattern(schema.pattern);
    if (error === undefined) return;
    const must = 'must be a regular expression of Go (RE2)';
    const message = `${must}, got ${show(schema.pattern)} (${error})`;
    findings.addError([...path, 'pattern'], message, 'pattern');
  }
}

function checkClause(
  clause: JSONSchemaProps,
  path: Path,
  findings: Findings,
  spelled: Spelled = NOT_SPELLED,
): void {
  checkValues(clause, path, findings, spelled);
  if (clause.items) checkClause(clause.items, [...path, 'items'], findings);
  for (const [name, field] of Object.entries(clause.properties ?? {})) {
    checkClause(field, [...path, 'properties', name], findings);
  }
  for (const field of outsideOnly) {
    const value = clause[field];
    if (value === undefined || (field !== 'default' && isFalseOrEmpty(value))) continue;
    const message = `must be outside of allOf, anyOf, oneOf and not, got ${show(value)}`;
    findings.addError([...path, field], message, 'inside-junctor');
  }
  if (Object.hasOwn(clause.properties ?? {}, 'metadata')) {
    const message = 'must not be in allOf, anyOf, oneOf or not, got restrictions of metadata';
    findings.addError([...path, 'properties', 'metadata'], message, 'inside-junctor');
  }
}

function isFalseOrEmpty(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0);
}

/** Returns whether anyOf is exactly `anyOf: [{ type: integer }, { type: string }]`. */
export function hasChoiceOfIntOrString({ anyOf = [] }: JSONSchemaProps): boolean {
  const [first, second, ...more] = anyOf;
  return more.length === 0 && isType(first, 'integer') && isType(second, 'string');
}

/** Returns whether the first clause of allOf is that anyOf. */
export function startsWithIntOrString({ allOf = [] }: JSONSchemaProps): boolean {
  return allOf[0] !== undefined && hasChoiceOfIntOrString(allOf[0]);
}

/** Fields that do not count as content of a clause. */
const idle = new Set(['enum', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'definitions']);

function isType(clause: JSONSchemaProps | undefined, type: string): boolean {
  return (
    Object.entries(clause ?? {}).every(([field, value]: [string, unknown]) => {
      if (field === 'type') return value === type;
      if (field === 'additionalProperties') return value === false;
      return idle.has(field) && Object.keys(value as object).length === 0;
    }) && clause?.type === type
  );
}
