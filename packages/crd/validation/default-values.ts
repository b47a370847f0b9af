import { show, type Path } from '@tenantry/kube/problem';
import { checkEmbeddedObjects, readEmbeddedObjects, pruneValue } from '../schema/admission.ts';
import { withinObjectLimit, compileRules } from '../schema/cel.ts';
import { schemaOfField, type JSONSchemaProps } from '../schema/json-schema.ts';
import { compileSchema } from '../schema/validator.ts';
import type { Finding, Findings } from '@tenantry/kube/finding';
import type { Leniency } from './leniency.ts';
import { enforcedFormat } from '../schema/format.ts';

/** The place of the walk, relative to the enclosing Kubernetes object. */
interface DefaultContext {
  readonly object: JSONSchemaProps;
  /** Puts a value where it would be in that object. */
  readonly around: (value: unknown) => unknown;
  readonly insideMeta: boolean;
  /** The resource itself, not one that is embedded in it. */
  readonly isResource: boolean;
}

const metaFields = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Checks that every default in a structural schema is valid for its own schema, without unknown
 * fields. The API server does not check below additionalProperties.
 */
export function checkDefaults(
  schema: JSONSchemaProps,
  path: Path,
  findings: Findings,
  leniency: Leniency,
): void {
  withinObjectLimit(() => {
    new DefaultChecker(findings, leniency).check(schema, path, {
      object: schema,
      around: (value) => value,
      insideMeta: false,
      isResource: true,
    });
  });
}

class DefaultChecker {
  readonly #findings: Findings;
  readonly #leniency: Leniency;

  constructor(findings: Findings, leniency: Leniency) {
    this.#findings = findings;
    this.#leniency = leniency;
  }

  check(schema: JSONSchemaProps, path: Path, place: DefaultContext): void {
    const embedded = schema['x-kubernetes-embedded-resource'] === true;
    const isObject = embedded || schema === place.object;
    const here: DefaultContext = embedded
      ? {
          object: schema,
          around: (value) => value,
          insideMeta: false,
          isResource: path.length === 0,
        }
      : place;
    if (schema.default !== undefined) this.#default(schema, [...path, 'default'], here, isObject);
    if (schema.items) {
      this.check(schema.items, [...path, 'items'], {
        ...here,
        around: (value) => here.around([value]),
      });
    }
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      this.check(field, [...path, 'properties', name], {
        ...here,
        around: (value) => here.around({ [name]: value }),
        insideMeta: here.insideMeta || (isObject && metaFields.has(name)),
      });
    }
  }

  #default(schema: JSONSchemaProps, path: Path, place: DefaultContext, isObject: boolean): void {
    const value: unknown = schema.default;
    const { errors } = this.#findings;
    if (!place.insideMeta && !this.#leniency.unprunedDefaults) {
      this.#unknownFields(schema, value, path, isObject);
    }
    const before = errors.length;
    if (place.insideMeta) {
      // A default in the resource's own metadata is reported elsewhere.
      if (place.isResource) return;
      const object = { apiVersion: 'v1', kind: 'A', ...(place.around(value) as object) };
      for (const { message } of objectsIn(asObject(place.object), object)) {
        this.#wrong(path, message);
      }
    } else {
      const wrong = objectsIn(isObject ? asObject(schema) : schema, value);
      for (const { path: within, message } of wrong) this.#wrong([...path, ...within], message);
    }
    if (errors.length === before) this.#value(schema, value, path);
    if (errors.length === before) {
      checkDefaultRules(schema, value, path, this.#findings, isObject);
    }
  }

  #wrong(path: Path, message: string): void {
    this.#findings.addError(path, message, 'embedded-object');
  }

  #value(schema: JSONSchemaProps, value: unknown, path: Path): void {
    const { validated, oddFormat } = buildDefaultSchema(schema);
    const { errors, notChecked } = compileSchema(validated).check(value, { path });
    for (const finding of [...notChecked, ...errors]) {
      const severity = oddFormat ? 'not-checked' : finding.severity;
      this.#findings.add({ ...finding, rule: 'default', severity });
    }
    if (oddFormat === 'elsewhere' && errors.length === 0) {
      const message =
        'must be what the API server accepts for a format that its type does not have';
      this.#findings.addNotChecked(path, message, 'default');
    }
  }

  #unknownFields(schema: JSONSchemaProps, value: unknown, path: Path, root: boolean): void {
    for (const within of pruneValue(schema, value, { root }).pruned) {
      const message = `must be a known field, got ${show(within.at(-1))}`;
      this.#findings.addError([...path, ...within], message, 'default-unknown-field');
    }
  }
}

/** Returns the errors of the Kubernetes objects within a value. */
function objectsIn(schema: JSONSchemaProps, value: unknown): readonly Finding[] {
  const { value: read, errors } = readEmbeddedObjects(schema, value);
  return errors.length > 0 ? errors : checkEmbeddedObjects(schema, read);
}

function asObject(schema: JSONSchemaProps): JSONSchemaProps {
  return { ...schema, 'x-kubernetes-embedded-resource': true };
}

/**
 * Checks a default against the CEL rules of its schema and of those below: as an unchanged value,
 * and as a new one.
 */
function checkDefaultRules(
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
    for (const [name, field] of Object.entries(value as object) as [string, unknown][]) {
      const inner = schemaOfField(schema, name);
      if (inner) checkDefaultRules(inner, field, [...path, name], findings);
    }
  }
}

interface DefaultSchema {
  readonly validated: JSONSchemaProps;
  /**
   * There is a format that its type does not have. For objects the API server forgets it first; for
   * defaults it does not. Then some values of another type pass, and where the type is no string, some
   * of that type do not.
   */
  readonly oddFormat: 'of a string' | 'elsewhere' | undefined;
}

/**
 * Builds the schema by which the API server validates defaults. It differs from the one for objects: where
 * `x-kubernetes-int-or-string` is set, any default is valid. As under allOf, it only restricts values: unknown fields,
 * list types and CEL rules are checked separately or not at all.
 */
function buildDefaultSchema(schema: JSONSchemaProps): DefaultSchema {
  const { validated, oddFormat } = withoutIntOrString(schema);
  const around = { 'x-kubernetes-preserve-unknown-fields': true, allOf: [validated] };
  return { validated: around, oddFormat };
}

function withoutIntOrString(schema: JSONSchemaProps): DefaultSchema {
  const { 'x-kubernetes-int-or-string': _, ...rest } = schema;
  const copy: { -readonly [K in keyof JSONSchemaProps]: JSONSchemaProps[K] } = rest;
  let oddFormat = oddFormatOf(schema);
  const within = (inner: JSONSchemaProps): JSONSchemaProps => {
    const made = withoutIntOrString(inner);
    if (oddFormat !== 'elsewhere') oddFormat = made.oddFormat ?? oddFormat;
    return made.validated;
  };
  const { items, properties, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = schema;
  const clauses = [...allOf, ...anyOf, ...oneOf, ...(schema.not ? [schema.not] : [])];
  for (const clause of clauses) within(clause);
  if (items) copy.items = within(items);
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => [name, within(field)]);
    copy.properties = Object.fromEntries(fields) as Record<string, JSONSchemaProps>;
  }
  if (typeof additionalProperties === 'object') {
    copy.additionalProperties = within(additionalProperties);
  }
  return { validated: copy, oddFormat };
}

function oddFormatOf(schema: JSONSchemaProps): DefaultSchema['oddFormat'] {
  if (schema.format === undefined || enforcedFormat(schema) !== '') return undefined;
  return schema.type === 'string' ? 'of a string' : 'elsewhere';
}
