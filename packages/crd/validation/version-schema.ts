import { show, type Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { checkDefaults } from './default-values.ts';
import type { Findings } from '@tenantry/kube/finding';
import type { Leniency } from './leniency.ts';
import { checkEverySchema } from './every-schema.ts';
import { checkStructural } from './structural-schema.ts';
import { enforcedFormat } from '../schema/format.ts';
import { findContradiction } from '../schema/validator.ts';

/** Fields that are not allowed at the root if status is a subresource, because status is then validated alone. */
const notBesideStatus = [
  'default',
  'enum',
  'maxProperties',
  'minProperties',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'additionalProperties',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
] as const;

interface VersionSchemaOptions {
  readonly hasStatus: boolean;
  /** Whether an update leaves the schema unchanged. */
  readonly isUnchanged: boolean;
}

/** Checks the schema of a version as a whole. */
export function checkVersionSchema(
  schema: JSONSchemaProps,
  path: Path,
  { hasStatus, isUnchanged }: VersionSchemaOptions,
  findings: Findings,
  leniency: Leniency,
): void {
  if (hasStatus) {
    for (const field of notBesideStatus) {
      if (schema[field] === undefined) continue;
      const message = `must be absent at the root, since status is a subresource, got ${show(schema[field])}`;
      findings.addError([...path, field], message, 'root-with-status');
    }
  }
  if (schema.nullable) {
    const message = 'must be absent at the root, got true';
    findings.addError([...path, 'nullable'], message, 'root-nullable');
  }
  const before = findings.errors.length;
  checkStructural(schema, path, findings);
  if (findings.errors.length === before) checkDefaults(schema, path, findings, leniency);
  const compiles = findings.errors.length === before;
  checkEverySchema(schema, path, findings, leniency, { compiles, isUnchanged });
  warnOfFormats(schema, path, findings);
  if (compiles) warnOfContradictions(schema, path, hasStatus, findings);
}

/**
 * Formats that the API server takes and does not look at.
 * Source: `pkg/apiserver/validation/formats.go` of apiextensions-apiserver.
 */
function warnOfFormats(schema: JSONSchemaProps, path: Path, findings: Findings): void {
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

const RULE = 'contradiction';
const metaFields = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Schemas that the API server takes, and under which it then refuses every value.
 * @param hasStatus whether status is a subresource
 */
function warnOfContradictions(
  schema: JSONSchemaProps,
  path: Path,
  hasStatus: boolean,
  findings: Findings,
): void {
  if (hasStatus && schema.required?.includes('status')) {
    const must = 'must not name status, which no new object has where it is a subresource';
    findings.addWarning([...path, 'required'], `${must}, or none can be created, got status`, RULE);
  }
  warn({ schema, isObject: true, keeps: false }, path, findings);
}

interface SchemaContext {
  readonly schema: JSONSchemaProps;
  /** It is an object of Kubernetes: apiVersion, kind and metadata are declared by that. */
  readonly isObject: boolean;
  /** Fields that are not declared stay. */
  readonly keeps: boolean;
}

function warn({ schema, isObject, keeps }: SchemaContext, path: Path, findings: Findings): void {
  const found = findContradiction(schema);
  if (found) {
    const { keyword, must, got } = found;
    findings.addWarning([...path, keyword], `must ${must}, or no value is valid, got ${got}`, RULE);
  }
  if (found?.keyword !== 'enum') warnOfForeignMembers(schema, path, findings);
  const { properties = {}, additionalProperties, items, required = [] } = schema;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const keepsMore = keeps || preserves || additionalProperties === true;
  if (!keepsMore && typeof additionalProperties !== 'object' && schema.type === 'object') {
    for (const [i, name] of required.entries()) {
      if (Object.hasOwn(properties, name) || (isObject && metaFields.has(name))) continue;
      const message = `must be declared in properties, for it is pruned and missing otherwise, got '${name}'`;
      findings.addWarning([...path, 'required', i], message, RULE);
    }
  }
  const below = (inner: JSONSchemaProps, ...at: Path): void => {
    const embedded = inner['x-kubernetes-embedded-resource'] === true;
    warn({ schema: inner, isObject: embedded, keeps: keepsMore }, [...path, ...at], findings);
  };
  if (items) below(items, 'items');
  if (typeof additionalProperties === 'object') below(additionalProperties, 'additionalProperties');
  for (const [name, field] of Object.entries(properties)) below(field, 'properties', name);
}

/** Members of an enumeration that no value of the type equals, such as `on` without quotes among texts. */
function warnOfForeignMembers(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  const { type, nullable = false } = schema;
  if (type === undefined || schema['x-kubernetes-int-or-string'] === true) return;
  for (const [i, member] of (schema.enum ?? []).entries()) {
    if (listTypes(member).includes(type) || (nullable && member === null)) continue;
    const message = `must be of type ${type} for a value to equal it, got ${show(member)}`;
    findings.addWarning([...path, 'enum', i], message, RULE);
  }
}

function listTypes(value: unknown): readonly string[] {
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number')
    return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}
