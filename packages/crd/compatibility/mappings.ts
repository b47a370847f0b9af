/** Compares objects: their fields, which ones are required, and what happens to unknown fields. */
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { isDeepEqual } from '@tenantry/kube/json';
import { buildSides, formatValue } from './change.ts';
import { formatPathStep, type CompareNodes, type ComparisonContext } from './comparison-context.ts';

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';

/** The schemas of an object's apiVersion, kind and metadata, whatever its own schema declares. */
const implied: Readonly<Record<string, JSONSchemaProps>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: {
    type: 'object',
    [PRESERVE]: true,
    properties: { name: { type: 'string' }, generateName: { type: 'string' } },
  },
};

/** The schema of a field with this name. `any`: the field is kept as it is. `none`: it is dropped. */
type ResolvedField =
  { readonly schema: JSONSchemaProps; readonly declared: boolean } | 'any' | 'none';

/** One side of the comparison of an object. */
class ObjectSide {
  readonly schema: JSONSchemaProps;
  readonly preserves: boolean;
  readonly #whole: boolean;
  readonly #place: ComparisonContext;

  constructor(schema: JSONSchemaProps, kept: boolean, place: ComparisonContext) {
    this.schema = schema;
    this.preserves = kept || schema[PRESERVE] === true;
    this.#place = place;
    this.#whole = place.mode === 'structural' && (place.root || schema[EMBEDDED] === true);
  }

  names(): string[] {
    const own = Object.keys(this.schema.properties ?? {});
    return this.#whole ? [...new Set([...own, ...Object.keys(implied)])] : own;
  }

  field(name: string): ResolvedField {
    const own = this.declared(name);
    if (this.#whole && Object.hasOwn(implied, name)) {
      return { schema: withImplied(own ?? {}, implied[name]!), declared: true };
    }
    if (own) return { schema: own, declared: true };
    const { additionalProperties: others } = this.schema;
    if (isMapping(others)) return { schema: others, declared: false };
    if (others === true || this.preserves || this.#place.mode === 'value') return 'any';
    return 'none';
  }

  declared(name: string): JSONSchemaProps | undefined {
    const { properties } = this.schema;
    return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  }

  /** Returns whether the API server requires the field, whatever the schema declares. */
  isAlwaysRequired(name: string): boolean {
    if (!this.#whole) return false;
    return name === 'apiVersion' || name === 'kind' || (name === 'metadata' && this.#place.root);
  }
}

function withImplied(own: JSONSchemaProps, known: JSONSchemaProps): JSONSchemaProps {
  const { properties } = known;
  return {
    ...known,
    ...own,
    ...(properties && { [PRESERVE]: true, properties: { ...properties, ...own.properties } }),
  };
}

export function compareObjects(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
  compare: CompareNodes,
): void {
  const [a, b] = [
    new ObjectSide(before, place.kept.before, place),
    new ObjectSide(after, place.kept.after, place),
  ];
  comparePreserving(before, after, place);
  compareEmbedded(before, after, place);
  compareAdditionalProperties(a, b, place, compare);
  const names = new Set([...a.names(), ...b.names()]);
  for (const name of names) compareField(name, a, b, place, compare);
  compareRequired(a, b, place);
}

function isCounted({ schema }: ObjectSide): boolean {
  return schema.maxProperties !== undefined;
}

function compareField(
  name: string,
  a: ObjectSide,
  b: ObjectSide,
  place: ComparisonContext,
  compare: CompareNodes,
): void {
  const [from, to] = [a.field(name), b.field(name)];
  const at = formatPathStep(name);
  const below = place.child(at, { counted: isCounted(b) });
  if (typeof from === 'object' && typeof to === 'object') {
    if (from.declared && !to.declared)
      reportRemovedField(name, a, place, 'is a key of the map like any other');
    compare(from.schema, to.schema, below);
    return;
  }
  if (typeof from === 'object') {
    const consequence =
      to === 'any' ? 'is kept as an unknown field' : 'is dropped, and refused by strict clients';
    if (!from.declared) return;
    if (place.mode === 'value') {
      const message = 'no branch restricts this field any more';
      below.report({ rule: 'field-removed', verdict: 'compatible', message, widens: true });
    } else if (to === 'none' || a.declared(name)) reportRemovedField(name, a, place, consequence);
    return;
  }
  // The comparison of an embedded object reports its implied fields.
  if (typeof to === 'object' && b.declared(name)) reportAddedField(name, to.schema, from, b, place);
}

function reportRemovedField(
  name: string,
  a: ObjectSide,
  place: ComparisonContext,
  consequence: string,
): void {
  const message = `the field is not declared any more: what is in it ${consequence}`;
  const before = a.declared(name)?.type;
  place.report(
    { rule: 'field-removed', verdict: 'breaking', message, ...buildSides(before, undefined) },
    formatPathStep(name),
  );
}

function reportAddedField(
  name: string,
  schema: JSONSchemaProps,
  from: ResolvedField,
  b: ObjectSide,
  place: ComparisonContext,
): void {
  const change = { rule: 'field-added', ...buildSides(undefined, schema.type) };
  const at = formatPathStep(name);
  if (from === 'any') {
    if (place.mode === 'value' && isUnrestricted(schema)) {
      const message = 'the field is not restricted';
      place.report({ ...change, verdict: 'compatible', message }, at);
      return;
    }
    const message = 'the field is declared now: any value under its name was accepted and kept';
    place.report({ ...change, verdict: 'breaking', message }, at);
  } else if (schema.default !== undefined && (place.guarded || isCounted(b))) {
    const message = `the field is new, and every object gets ${formatValue(schema.default)} in it, which a branch, a count or an enumeration around it may refuse`;
    place.report({ ...change, verdict: 'unknown', message }, at);
  } else {
    const gets =
      schema.default === undefined ? '' : `, and objects get ${formatValue(schema.default)} in it`;
    place.report({ ...change, verdict: 'compatible', message: `the field is new${gets}` }, at);
  }
}

function isUnrestricted(schema: JSONSchemaProps): boolean {
  return Object.keys(schema).every((key) => key === 'description' || key === 'title');
}

function compareRequired(a: ObjectSide, b: ObjectSide, place: ComparisonContext): void {
  const [from, to] = [new Set(a.schema.required), new Set(b.schema.required)];
  for (const name of to) {
    if (from.has(name)) continue;
    const change = { rule: 'required', ...buildSides(undefined, true) };
    const field = b.declared(name);
    const isDefaulted = (field?.default ?? null) !== null && place.mode === 'structural';
    if (a.isAlwaysRequired(name)) {
      const message = 'the API server requires it anyway';
      place.report({ ...change, verdict: 'compatible', message }, formatPathStep(name));
    } else if (isDefaulted) {
      const message = 'required now, and given its default before that is checked';
      place.report({ ...change, verdict: 'compatible', message }, formatPathStep(name));
    } else {
      const isNew = a.field(name) === 'none';
      const message = isNew
        ? 'the field is new and required: no existing object has it'
        : 'the field is required now: objects without it were accepted';
      place.report({ ...change, verdict: 'breaking', message }, formatPathStep(name));
    }
  }
  for (const name of from) {
    if (to.has(name)) continue;
    const message = 'the field may be left out now: clients that read it may find nothing';
    const change = { rule: 'required', ...buildSides(true, undefined) } as const;
    const isAlways = b.isAlwaysRequired(name);
    place.report(
      isAlways
        ? { ...change, verdict: 'compatible', message: 'the API server requires it anyway' }
        : { ...change, verdict: 'compatible', message, widens: true },
      formatPathStep(name),
    );
  }
}

/** Compares additionalProperties: the values of undeclared keys. */
function compareAdditionalProperties(
  a: ObjectSide,
  b: ObjectSide,
  place: ComparisonContext,
  compare: CompareNodes,
): void {
  const [from, to] = [a.schema.additionalProperties, b.schema.additionalProperties];
  if (isDeepEqual(from, to)) return;
  const change = { rule: 'additional-properties' };
  if (isMapping(from) && isMapping(to)) {
    compare(from, to, place.child('{}', { counted: isCounted(b) }));
  } else if (from === undefined || from === false) {
    if (to === false && from === undefined) {
      const isNothing = place.mode === 'structural' && !a.preserves;
      const message = isNothing
        ? 'keys that are not declared were dropped, and are refused now'
        : 'keys that are not declared were accepted, and are refused now';
      place.report({ ...change, verdict: 'breaking', message });
    } else if (to === undefined) {
      const message = 'keys that are not declared are not refused any more';
      place.report({ ...change, verdict: 'compatible', message, widens: true });
    } else if (place.mode === 'value' || a.preserves) {
      if (to === true) {
        const verdict = place.mode === 'value' ? 'compatible' : 'unknown';
        const message = 'keys that are not declared are accepted, and their values were kept';
        place.report({ ...change, verdict, message });
      } else {
        const message = 'values of keys that are not declared have a schema now: any were accepted';
        place.report({ ...change, verdict: 'breaking', message });
      }
    } else if (place.guarded || isCounted(b)) {
      const message =
        'keys that are not declared are kept now, and a branch or a count around them may refuse that';
      place.report({ ...change, verdict: 'unknown', message });
    } else {
      const message = 'keys of any name are accepted';
      place.report({ ...change, verdict: 'compatible', message, widens: true });
    }
  } else if (to === undefined && (b.preserves || place.mode === 'value')) {
    const verdict = place.mode === 'value' ? 'compatible' : 'unknown';
    const message = 'values of keys that are not declared have no schema now';
    place.report({
      ...change,
      verdict,
      message,
      ...(verdict === 'compatible' && { widens: true }),
    });
  } else if (to === undefined || to === false) {
    const consequence = to === false ? 'refused' : 'dropped';
    const message = `keys of any name were accepted, and are ${consequence} now`;
    place.report({ ...change, verdict: 'breaking', message });
  } else {
    const message = 'keys with any value and keys with a schema are not held to the same rules';
    place.report({ ...change, verdict: 'unknown', message });
  }
}

function comparePreserving(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const [a, b] = [before[PRESERVE], after[PRESERVE]];
  if (a === b) return;
  const change = { rule: 'preserve-unknown', ...buildSides(a, b) };
  if ((a ?? false) === (b ?? false)) {
    const message = 'to drop unknown fields is the default';
    place.report({ ...change, verdict: 'compatible', message });
  } else if (b !== true) {
    const message = 'fields that are not declared were kept, and are dropped now';
    place.report({ ...change, verdict: 'breaking', message });
  } else if (place.guarded || after.maxProperties !== undefined) {
    const message =
      'fields that are not declared are kept now, and a branch or a count here or around it may refuse them';
    place.report({ ...change, verdict: 'unknown', message });
  } else {
    const message = 'fields that are not declared are kept now, and were dropped';
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  }
}

function compareEmbedded(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const [a, b] = [before[EMBEDDED], after[EMBEDDED]];
  if (a === b || place.root) return;
  const change = { rule: 'embedded-resource', ...buildSides(a, b) };
  if ((a ?? false) === (b ?? false)) {
    const message = 'not to be an embedded object is the default';
    place.report({ ...change, verdict: 'compatible', message });
  } else if (b === true) {
    const message = 'must be a whole object now: apiVersion and kind are required and checked';
    place.report({ ...change, verdict: 'breaking', message });
  } else {
    const message =
      'is an object like any other now: apiVersion, kind and metadata are not checked';
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  }
}
