import { entryOf } from '../../kube/mapping.ts';
import { formatPath, type Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import type { Findings } from '../../kube/finding.ts';

/**
 * Checks that allOf, anyOf, oneOf and not only restrict fields and items that the schema declares.
 * The API server starts at the clauses of the root only, and checks everything below them.
 */
export function checkCompleteness(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  checkJunctors(schema, schema, path, path, findings);
}

/** Checks the clauses at `from` against the schema at `path` that they refer to. */
function checkJunctors(
  clause: JSONSchemaProps,
  schema: JSONSchemaProps,
  path: Path,
  from: Path,
  findings: Findings,
): void {
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [i, inner] of (clause[junctor] ?? []).entries()) {
      checkClause(inner, schema, path, [...from, junctor, i], findings);
    }
  }
  if (clause.not) checkClause(clause.not, schema, path, [...from, 'not'], findings);
}

function checkClause(
  clause: JSONSchemaProps,
  schema: JSONSchemaProps | undefined,
  path: Path,
  from: Path,
  findings: Findings,
): void {
  if (!schema) {
    const message = `must be given, since ${formatPath(from)} names it, got nothing`;
    return findings.addError(path, message, 'not-outside');
  }
  checkJunctors(clause, schema, path, from, findings);
  if (clause.items) {
    checkClause(clause.items, schema.items, [...path, 'items'], [...from, 'items'], findings);
  }
  for (const [name, field] of Object.entries(clause.properties ?? {})) {
    const step = ['properties', name];
    const outside = entryOf(schema.properties, name);
    checkClause(field, outside, [...path, ...step], [...from, ...step], findings);
  }
}
