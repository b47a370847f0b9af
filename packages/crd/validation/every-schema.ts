import { show, type Path, formatPath } from '@tenantry/kube/problem';
import { visibleProperties, compileRule, validateRuleFields } from '../schema/cel.ts';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { type Findings, prefixFinding } from '@tenantry/kube/finding';
import type { Leniency } from './leniency.ts';
import { checkMerging, MAP_TYPES } from './list-types.ts';
import { RuleCosts, findRepetition, type EnclosingCollection } from './cel-cost.ts';

/** What applies to a schema because of its place. */
interface SchemaContext {
  readonly isRoot: boolean;
  /** Whether it is inside `apiVersion`, `kind` or `metadata` of the resource or of an embedded one. */
  readonly insideMeta: boolean;
  /** Why there can be no default. */
  readonly noDefault?: string;
  /** The place that prevents finding the previous value: rules cannot use oldSelf. */
  readonly uncorrelatable?: Path;
  /** Whether rules are compiled: not below allOf, anyOf, oneOf and not. */
  readonly ruled: boolean;
  /** The lists and mappings around it, outermost first. */
  readonly around: readonly EnclosingCollection[];
  /** Whether an enclosing schema has a rule. */
  readonly belowRules: boolean;
  /** The schema that the API server uses instead when it compiles rules: see `resolveRuleSchema`. */
  readonly as?: JSONSchemaProps | undefined;
}

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Fields of JSON Schema that Kubernetes does not support. */
const unsupported = ['id', '$schema', '$ref', 'additionalItems', 'dependencies'] as const;
const unsupportedUnlessEmpty = ['patternProperties', 'definitions'] as const;

/** Checks every schema within a schema for what the API server requires of all schemas. */
export function checkEverySchema(
  schema: JSONSchemaProps,
  path: Path,
  findings: Findings,
  leniency: Leniency,
  { compiles, isUnchanged }: EverySchemaOptions,
): void {
  const costs = new RuleCosts(findings, isUnchanged);
  new SchemaChecker(findings, leniency, costs).check(schema, path, {
    isRoot: true,
    insideMeta: false,
    ruled: compiles,
    around: [],
    belowRules: false,
  });
  costs.finish(path);
}

interface EverySchemaOptions {
  /** Whether CEL rules are compiled too, which requires a valid schema. */
  readonly compiles: boolean;
  /** Whether an update leaves the schema unchanged. */
  readonly isUnchanged: boolean;
}

class SchemaChecker {
  readonly #findings: Findings;
  readonly #leniency: Leniency;
  readonly #costs: RuleCosts;
  /** The number of errors so far: CEL rules around an error are not checked. */
  #faults = 0;

  constructor(findings: Findings, leniency: Leniency, costs: RuleCosts) {
    this.#findings = findings;
    this.#leniency = leniency;
    this.#costs = costs;
  }

  check(schema: JSONSchemaProps, path: Path, place: SchemaContext): void {
    const faults = this.#faults;
    this.#counted(() => this.#fields(schema, path, place));
    this.#below(schema, path, place);
    this.#counted(() => {
      checkMerging(schema, path, this.#findings, this.#leniency);
      checkRuleFields(schema, path, this.#findings);
    });
    if (place.ruled && this.#faults === faults) {
      checkRules(schema, path, this.#findings, this.#costs, {
        as: place.as,
        isObject: place.isRoot || schema['x-kubernetes-embedded-resource'] === true,
        uncorrelatable: place.uncorrelatable,
        around: place.around,
      });
    }
  }

  #counted(check: () => void): void {
    const before = this.#findings.errors.length;
    check();
    this.#faults += this.#findings.errors.length - before;
  }

  #fields(schema: JSONSchemaProps, path: Path, place: SchemaContext): void {
    const wrong = (field: string, message: string, rule: string): void => {
      this.#findings.addError([...path, field], message, rule);
    };
    const { type } = schema;
    if (type !== undefined && !TYPES.includes(type) && !(this.#leniency.types && type !== 'null')) {
      const hint = type === 'null' ? '; nullable lets a value be null' : '';
      wrong('type', `must be one of ${TYPES.join(', ')}, got ${show(type)}${hint}`, 'type');
    }
    if (place.noDefault !== undefined && schema.default !== undefined) {
      const message = `must be absent ${place.noDefault}, got ${show(schema.default)}`;
      wrong('default', message, 'default-forbidden');
    }
    for (const field of [...unsupported, ...unsupportedUnlessEmpty]) {
      const value: unknown = schema[field];
      const empty = (unsupportedUnlessEmpty as readonly string[]).includes(field);
      if (value === undefined || (empty && Object.keys(value as object).length === 0)) continue;
      const hint = field === '$ref' ? '; write the schema there instead' : '';
      wrong(field, `must be absent, got ${show(value)}${hint}`, 'unsupported-field');
    }
    if (place.insideMeta && schema['x-kubernetes-embedded-resource']) {
      const message = 'must be absent inside apiVersion, kind and metadata, got true';
      wrong('x-kubernetes-embedded-resource', message, 'embedded-in-metadata');
    }
    if (schema.uniqueItems) {
      const message = "must be absent, got true; 'x-kubernetes-list-type: set' has the same effect";
      wrong('uniqueItems', message, 'unique-items');
    }
    const { additionalProperties, properties = {} } = schema;
    const isOpen = additionalProperties === undefined || additionalProperties === true;
    if (!isOpen && Object.keys(properties).length > 0) {
      const message = `must be absent beside properties, got ${show(additionalProperties)}`;
      wrong('additionalProperties', message, 'additional-properties');
    }
    if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
      wrong(
        'x-kubernetes-preserve-unknown-fields',
        'must be true or absent, got false',
        'preserve-unknown-fields',
      );
    }
  }

  #below(schema: JSONSchemaProps, path: Path, of: SchemaContext): void {
    const repeated = findRepetition(schema, path);
    const around = repeated ? [...of.around, repeated] : of.around;
    const belowRules = of.belowRules || hasRules(schema);
    const place: SchemaContext = { ...of, isRoot: false, around, belowRules, as: undefined };
    const unruled: SchemaContext = { ...place, ruled: false };
    const { additionalProperties } = schema;
    if (typeof additionalProperties === 'object') {
      // It is unknown there what a default would be pruned by.
      const noDefault = 'below additionalProperties of metadata';
      this.check(additionalProperties, [...path, 'additionalProperties'], {
        ...place,
        ...(place.insideMeta && { noDefault }),
      });
    }
    // The server treats an unknown map type like one whose fields it cannot correlate.
    const mapType: string = schema['x-kubernetes-map-type'] ?? 'granular';
    const fields = MAP_TYPES.includes(mapType) ? place : within(place, path);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const isMeta =
        ['apiVersion', 'kind', 'metadata'].includes(name) &&
        (of.isRoot || schema['x-kubernetes-embedded-resource'] === true);
      this.check(field, [...path, 'properties', name], {
        ...fields,
        as: belowRules ? resolveRuleSchema(name, field, schema, of) : undefined,
        ...(isMeta && { insideMeta: true }),
        ...(isMeta && of.isRoot && { noDefault: `in ${name}` }),
      });
    }
    if (schema.items) {
      const items = schema['x-kubernetes-list-type'] === 'map' ? place : within(place, path);
      this.check(schema.items, [...path, 'items'], items);
    }
    if (schema.not) this.check(schema.not, [...path, 'not'], unruled);
    for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
      for (const [i, clause] of (schema[junctor] ?? []).entries()) {
        this.check(clause, [...path, junctor, i], unruled);
      }
    }
  }
}

const hasRules = (schema: JSONSchemaProps): boolean =>
  (schema['x-kubernetes-validations'] ?? []).length > 0;

/**
 * Returns the schema that a rule sees if it differs from the schema itself; otherwise undefined.
 * For a rule, metadata of a resource differs from its own schema, unless the schema declares all of
 * it.
 *
 * Source: CELSchemaContext.TypeInfo of apiextensions-apiserver (cel_validation.go)
 */
function resolveRuleSchema(
  name: string,
  field: JSONSchemaProps,
  schema: JSONSchemaProps,
  of: SchemaContext,
): JSONSchemaProps | undefined {
  const isResource = of.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  const seen = visibleProperties(of.as ?? schema, isResource) ?? {};
  const found = Object.hasOwn(seen, name) ? seen[name] : undefined;
  return found === field ? undefined : found;
}

/** Keeps the outermost place that cannot be correlated. */
function within(place: SchemaContext, path: Path): SchemaContext {
  return { ...place, uncorrelatable: place.uncorrelatable ?? path };
}

/** Checks the fields of CEL rules, except what CEL itself checks in the expressions. */
function checkRuleFields(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  for (const [i, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = [...path, 'x-kubernetes-validations', i];
    for (const error of validateRuleFields(rule, schema)) findings.add(prefixFinding(at, error));
  }
}

interface RuleContext {
  /** The schema that rules are compiled with instead, if any. */
  readonly as: JSONSchemaProps | undefined;
  /** Whether the schema is of a whole object, with `apiVersion`, `kind` and `metadata`. */
  readonly isObject: boolean;
  /** The place that prevents finding the previous value, if any. */
  readonly uncorrelatable: Path | undefined;
  /** The lists and mappings that contain the schema, outermost first. */
  readonly around: readonly EnclosingCollection[];
}

/** Checks the expressions of CEL rules in a valid schema. */
function checkRules(
  schema: JSONSchemaProps,
  path: Path,
  findings: Findings,
  costs: RuleCosts,
  { as, isObject, uncorrelatable, around }: RuleContext,
): void {
  for (const [i, rule] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    const at = [...path, 'x-kubernetes-validations', i];
    const compiled = compileRule(rule, schema, { root: isObject, as });
    const { errors, notChecked, usesOldSelf } = compiled;
    for (const finding of [...errors, ...notChecked]) findings.add(prefixFinding(at, finding));
    costs.check(compiled, at, { schema, path, around });
    if (notChecked.length > 0) continue;
    if (usesOldSelf && uncorrelatable) {
      const message = `must not use oldSelf below ${formatPath(uncorrelatable)}, where values cannot be found again, got ${show(rule.rule)}`;
      findings.addError([...at, 'rule'], message, 'cel-old-self');
    }
  }
}
