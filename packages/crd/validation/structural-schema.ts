import { show, type Path, formatPath } from '@tenantry/kube/problem';
import type { Findings } from '@tenantry/kube/finding';
import { entryOf } from '@tenantry/kube/mapping';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { compilePattern } from '../schema/pattern.ts';

type Level = 'root' | 'item' | 'field';

/**
 * Checks that a schema is structural: it states the type of every value in one place, so that the
 * API server can prune, default and merge.
 *
 * Source:
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export function checkStructural(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  new StructureChecker(findings).check(schema, 'root', path);
  checkJunctors(schema, schema, path, path, findings);
}

class StructureChecker {
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  check(schema: JSONSchemaProps, level: Level, path: Path): void {
    const { items, properties = {}, additionalProperties } = schema;
    if (schema.type === 'array' && !items) {
      this.#wrong(
        [...path, 'items'],
        'must be a schema, since the type is array, got nothing',
        'items',
      );
    }
    if (items) this.check(items, 'item', [...path, 'items']);
    for (const [name, field] of Object.entries(properties)) {
      this.check(field, 'field', [...path, 'properties', name]);
    }
    if (additionalProperties !== undefined && level === 'root') {
      const message = `must be absent at the root, got ${show(additionalProperties)}`;
      this.#wrong([...path, 'additionalProperties'], message, 'root-additional-properties');
    }
    if (typeof additionalProperties === 'object') {
      this.check(additionalProperties, 'field', [...path, 'additionalProperties']);
    }
    this.#extensions(schema, path);
    checkValues(schema, path, this.#findings, {
      anyOf: hasChoiceOfIntOrString(schema),
      firstAllOf: startsWithIntOrString(schema),
    });
    this.#type(schema, level, path);
    this.#meta(schema, level, path);
  }

  #type(schema: JSONSchemaProps, level: Level, path: Path): void {
    const { type } = schema;
    const at = [...path, 'type'];
    if (schema['x-kubernetes-embedded-resource'] && type !== 'object') {
      const because = 'since x-kubernetes-embedded-resource is true';
      this.#wrong(at, `must be object, ${because}, got ${show(type)}`, 'embedded-resource');
    } else if (
      type === undefined &&
      !schema['x-kubernetes-int-or-string'] &&
      !schema['x-kubernetes-preserve-unknown-fields']
    ) {
      this.#wrong(at, `must be given ${places[level]}, got nothing`, 'type-missing');
    }
    if (level === 'root' && type !== undefined && type !== 'object') {
      this.#wrong(at, `must be object at the root, got ${show(type)}`, 'root-type');
    }
  }

  #extensions(schema: JSONSchemaProps, path: Path): void {
    const embedded = schema['x-kubernetes-embedded-resource'];
    const preserving = schema['x-kubernetes-preserve-unknown-fields'];
    if (schema['x-kubernetes-int-or-string']) {
      for (const field of [
        'x-kubernetes-preserve-unknown-fields',
        'x-kubernetes-embedded-resource',
      ] as const) {
        if (!schema[field]) continue;
        const message = 'must be absent, since x-kubernetes-int-or-string is true, got true';
        this.#wrong([...path, field], message, 'int-or-string');
      }
    }
    if (!embedded) return;
    const because = 'since x-kubernetes-embedded-resource is true';
    if (schema.additionalProperties !== undefined) {
      const message = `must be absent, ${because}, got ${show(schema.additionalProperties)}`;
      this.#wrong([...path, 'additionalProperties'], message, 'embedded-resource');
    }
    if (!preserving && Object.keys(schema.properties ?? {}).length === 0) {
      const message = `must have a field, ${because} and x-kubernetes-preserve-unknown-fields is not, got nothing`;
      this.#wrong([...path, 'properties'], message, 'embedded-resource');
    }
  }

  /** Checks `apiVersion`, `kind` and `metadata` of a whole object, which Kubernetes itself defines. */
  #meta(schema: JSONSchemaProps, level: Level, path: Path): void {
    const { properties = {} } = schema;
    const isObject = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
    for (const [name, type] of Object.entries(metaTypes)) {
      if (!isObject || !Object.hasOwn(properties, name)) continue;
      const got = properties[name]!.type;
      if (got === type) continue;
      const at = [...path, 'properties', name, 'type'];
      this.#wrong(at, `must be ${type}, got ${show(got)}`, 'meta-type');
    }
    if (level !== 'root' || !Object.hasOwn(properties, 'metadata')) return;
    const { type: _, default: __, properties: names = {}, ...rest } = properties['metadata']!;
    const others = Object.keys(names).filter((name) => !['name', 'generateName'].includes(name));
    const got = [...Object.keys(rest).filter((field) => !isNothing(rest, field)), ...others];
    if (got.length > 0) {
      const message = `must restrict nothing but name and generateName, got ${got.join(', ')}`;
      this.#wrong([...path, 'properties', 'metadata'], message, 'root-metadata');
    }
  }

  #wrong(path: Path, message: string, rule: string): void {
    this.#findings.addError(path, message, rule);
  }
}

const places = {
  root: 'at the root',
  item: 'for the items of a list',
  field: 'for every field',
} as const;

const metaTypes = { apiVersion: 'string', kind: 'string', metadata: 'object' } as const;

/** Returns whether an empty field leaves no trace in a structural schema. */
function isNothing(schema: JSONSchemaProps, field: string): boolean {
  const empty = ['enum', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'definitions'];
  return empty.includes(field) && Object.keys(schema[field as 'enum'] ?? []).length === 0;
}

/**
 * Checks that allOf, anyOf, oneOf and not, at `from`, only restrict fields and items that the schema at `path`
 * declares. The API server starts at the clauses of the root only, and checks everything below them.
 */
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
function checkValues(
  schema: JSONSchemaProps,
  path: Path,
  findings: Findings,
  spelled: Spelled = NOT_SPELLED,
): void {
  if (!spelled.anyOf) {
    for (const [i, clause] of (schema.anyOf ?? []).entries()) {
      checkClauseFields(clause, [...path, 'anyOf', i], findings);
    }
  }
  for (const [i, clause] of (schema.allOf ?? []).entries()) {
    const anyOf = spelled.firstAllOf && i === 0;
    checkClauseFields(clause, [...path, 'allOf', i], findings, { anyOf, firstAllOf: false });
  }
  for (const [i, clause] of (schema.oneOf ?? []).entries()) {
    checkClauseFields(clause, [...path, 'oneOf', i], findings);
  }
  if (schema.not) checkClauseFields(schema.not, [...path, 'not'], findings);
  if (schema.pattern !== undefined) {
    const { error } = compilePattern(schema.pattern);
    if (error === undefined) return;
    const must = 'must be a regular expression of Go (RE2)';
    const message = `${must}, got ${show(schema.pattern)} (${error})`;
    findings.addError([...path, 'pattern'], message, 'pattern');
  }
}

function checkClauseFields(
  clause: JSONSchemaProps,
  path: Path,
  findings: Findings,
  spelled: Spelled = NOT_SPELLED,
): void {
  checkValues(clause, path, findings, spelled);
  if (clause.items) checkClauseFields(clause.items, [...path, 'items'], findings);
  for (const [name, field] of Object.entries(clause.properties ?? {})) {
    checkClauseFields(field, [...path, 'properties', name], findings);
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
function hasChoiceOfIntOrString({ anyOf = [] }: JSONSchemaProps): boolean {
  const [first, second, ...more] = anyOf;
  return more.length === 0 && isType(first, 'integer') && isType(second, 'string');
}

/** Returns whether the first clause of allOf is that anyOf. */
function startsWithIntOrString({ allOf = [] }: JSONSchemaProps): boolean {
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
