/** Compares objects: their fields, which ones are required, and what happens to unknown fields. */
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { entryOf, isMapping } from '@tenantry/kube/mapping';
import { isDeepEqual } from '@tenantry/kube/json';
import { formatValue } from './change.ts';
import {
  formatPathStep,
  type ComparisonContext,
  type SchemaComparison,
} from './comparison-context.ts';

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
    return entryOf(this.schema.properties, name);
  }

  isCounted(): boolean {
    return this.schema.maxProperties !== undefined;
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

export const compareObjects: SchemaComparison = (before, after, place) => {
  const a = new ObjectSide(before, place.kept.before, place);
  const b = new ObjectSide(after, place.kept.after, place);
  comparePreserving(before, after, place);
  compareEmbedded(before, after, place);
  compareAdditionalProperties(a, b, place);
  for (const name of new Set([...a.names(), ...b.names()])) compareField(name, a, b, place);
  compareRequired(a, b, place);
};

function compareField(name: string, a: ObjectSide, b: ObjectSide, place: ComparisonContext): void {
  const [from, to] = [a.field(name), b.field(name)];
  if (typeof from !== 'object') {
    // The comparison of an embedded object reports its implied fields.
    if (typeof to === 'object' && b.declared(name)) {
      reportAddedField(name, to.schema, from, b, place);
    }
  } else if (typeof to === 'object') {
    if (from.declared && !to.declared) {
      reportRemovedField(name, a, place, 'is a key of the map like any other');
    }
    const below = place.child(formatPathStep(name), { counted: b.isCounted() });
    below.compare(from.schema, to.schema);
  } else if (from.declared && place.mode === 'value') {
    const change = place.change('field-removed', undefined, undefined, formatPathStep(name));
    change.widening('no branch restricts this field any more');
  } else if (from.declared && (to === 'none' || a.declared(name))) {
    const consequence =
      to === 'any' ? 'is kept as an unknown field' : 'is dropped, and refused by strict clients';
    reportRemovedField(name, a, place, consequence);
  }
}

function reportRemovedField(
  name: string,
  a: ObjectSide,
  place: ComparisonContext,
  consequence: string,
): void {
  const before = a.declared(name)?.type;
  const change = place.change('field-removed', before, undefined, formatPathStep(name));
  change.breaking(`the field is not declared any more: what is in it ${consequence}`);
}

function reportAddedField(
  name: string,
  schema: JSONSchemaProps,
  from: ResolvedField,
  b: ObjectSide,
  place: ComparisonContext,
): void {
  const change = place.change('field-added', undefined, schema.type, formatPathStep(name));
  const value = formatValue(schema.default);
  if (from === 'any') {
    if (place.mode === 'value' && isUnrestricted(schema)) {
      return change.compatible('the field is not restricted');
    }
    change.breaking('the field is declared now: any value under its name was accepted and kept');
  } else if (schema.default === undefined) change.compatible('the field is new');
  else if (place.guarded || b.isCounted()) {
    change.unknown(
      `the field is new, and every object gets ${value} in it, which a branch, a count or an enumeration around it may refuse`,
    );
  } else change.compatible(`the field is new, and objects get ${value} in it`);
}

function isUnrestricted(schema: JSONSchemaProps): boolean {
  return Object.keys(schema).every((key) => key === 'description' || key === 'title');
}

function compareRequired(a: ObjectSide, b: ObjectSide, place: ComparisonContext): void {
  const [from, to] = [new Set(a.schema.required), new Set(b.schema.required)];
  const anyway = 'the API server requires it anyway';
  for (const name of to) {
    if (from.has(name)) continue;
    const change = place.change('required', undefined, true, formatPathStep(name));
    const isDefaulted = (b.declared(name)?.default ?? null) !== null && place.mode === 'structural';
    if (a.isAlwaysRequired(name)) change.compatible(anyway);
    else if (isDefaulted) {
      change.compatible('required now, and given its default before that is checked');
    } else if (a.field(name) === 'none') {
      change.breaking('the field is new and required: no existing object has it');
    } else change.breaking('the field is required now: objects without it were accepted');
  }
  for (const name of from) {
    if (to.has(name)) continue;
    const change = place.change('required', true, undefined, formatPathStep(name));
    if (b.isAlwaysRequired(name)) change.compatible(anyway);
    else {
      change.widening('the field may be left out now: clients that read it may find nothing');
    }
  }
}

/** Compares additionalProperties: the values of undeclared keys. */
function compareAdditionalProperties(a: ObjectSide, b: ObjectSide, place: ComparisonContext): void {
  const [from, to] = [a.schema.additionalProperties, b.schema.additionalProperties];
  if (isDeepEqual(from, to)) return;
  if (isMapping(from) && isMapping(to)) {
    return place.child('{}', { counted: b.isCounted() }).compare(from, to);
  }
  const change = place.change('additional-properties');
  const isValue = place.mode === 'value';
  if (from === undefined || from === false) {
    if (to === false) {
      const were = isValue || a.preserves ? 'accepted' : 'dropped';
      change.breaking(`keys that are not declared were ${were}, and are refused now`);
    } else if (to === undefined) {
      change.widening('keys that are not declared are not refused any more');
    } else if (isValue || a.preserves) {
      if (to === true) {
        const message = 'keys that are not declared are accepted, and their values were kept';
        change.judge(isValue ? 'compatible' : 'unknown', message);
      } else {
        change.breaking(
          'values of keys that are not declared have a schema now: any were accepted',
        );
      }
    } else if (place.guarded || b.isCounted()) {
      change.unknown(
        'keys that are not declared are kept now, and a branch or a count around them may refuse that',
      );
    } else change.widening('keys of any name are accepted');
  } else if (to === undefined && (b.preserves || isValue)) {
    const message = 'values of keys that are not declared have no schema now';
    if (isValue) change.widening(message);
    else change.unknown(message);
  } else if (to === undefined || to === false) {
    const consequence = to === false ? 'refused' : 'dropped';
    change.breaking(`keys of any name were accepted, and are ${consequence} now`);
  } else {
    change.unknown('keys with any value and keys with a schema are not held to the same rules');
  }
}

const comparePreserving: SchemaComparison = (before, after, place) => {
  const [a, b] = [before[PRESERVE], after[PRESERVE]];
  if (a === b) return;
  const change = place.change('preserve-unknown', a, b);
  if ((a ?? false) === (b ?? false)) change.compatible('to drop unknown fields is the default');
  else if (b !== true) {
    change.breaking('fields that are not declared were kept, and are dropped now');
  } else if (place.guarded || after.maxProperties !== undefined) {
    change.unknown(
      'fields that are not declared are kept now, and a branch or a count here or around it may refuse them',
    );
  } else change.widening('fields that are not declared are kept now, and were dropped');
};

const compareEmbedded: SchemaComparison = (before, after, place) => {
  const [a, b] = [before[EMBEDDED], after[EMBEDDED]];
  if (a === b || place.root) return;
  const change = place.change('embedded-resource', a, b);
  if ((a ?? false) === (b ?? false)) {
    change.compatible('not to be an embedded object is the default');
  } else if (b === true) {
    change.breaking('must be a whole object now: apiVersion and kind are required and checked');
  } else {
    change.widening(
      'is an object like any other now: apiVersion, kind and metadata are not checked',
    );
  }
};
