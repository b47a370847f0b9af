import { findContradiction } from '../../schema/contradiction.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import type { Findings } from '../../kube/finding.ts';
import { show, type Path } from '../../kube/problem.ts';

const RULE = 'contradiction';
const metaFields = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Schemas that the API server takes, and under which it then refuses every value.
 * @param hasStatus whether status is a subresource
 */
export function warnOfContradictions(
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
    if (typesOf(member).includes(type) || (nullable && member === null)) continue;
    const message = `must be of type ${type} for a value to equal it, got ${show(member)}`;
    findings.addWarning([...path, 'enum', i], message, RULE);
  }
}

function typesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number')
    return Number.isInteger(value) ? ['integer', 'number'] : ['number'];
  return [typeof value];
}
