import { formatPath, type Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';
import type { Findings } from '../../kube/finding.ts';

/**
 * What allOf, anyOf, oneOf and not say of a field or of items must be about one that is there. The API
 * server looks at those of the root alone, and from there all the way down.
 */
export class Completeness {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** The clauses of one schema, held against the schema that they speak of. */
  junctors(clause: JSONSchemaProps, schema: JSONSchemaProps, path: Path, from: Path): void {
    for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
      for (const [i, inner] of (clause[junctor] ?? []).entries()) {
        this.#clause(inner, schema, path, [...from, junctor, i]);
      }
    }
    if (clause.not) this.#clause(clause.not, schema, path, [...from, 'not']);
  }

  #clause(
    clause: JSONSchemaProps,
    schema: JSONSchemaProps | undefined,
    path: Path,
    from: Path,
  ): void {
    if (!schema) {
      const message = `must be there, since ${formatPath(from)} speaks of it, got nothing`;
      return this.#findings.error(path, 'not-outside', message);
    }
    this.junctors(clause, schema, path, from);
    if (clause.items) {
      this.#clause(clause.items, schema.items, [...path, 'items'], [...from, 'items']);
    }
    const { properties = {} } = schema;
    for (const [name, field] of Object.entries(clause.properties ?? {})) {
      const outside = Object.hasOwn(properties, name) ? properties[name] : undefined;
      this.#clause(field, outside, [...path, 'properties', name], [...from, 'properties', name]);
    }
  }
}
