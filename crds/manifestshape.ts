/**
 * The fields of a CustomResourceDefinition and their types, as data. What the API server would drop
 * without a word (null, status, fields that it does not know) is dropped, what its decoder would
 * refuse is told.
 *
 * Source: https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/
 */
import type { Json } from './object.ts';
import { nearest, show, type Path } from './problem.ts';
import { isMapping } from './value/validate.ts';
import { MAX_DEPTH } from './yaml/construct.ts';

/** What a value has to be. */
export type Shape =
  | 'string'
  | 'boolean'
  | 'number'
  | 'integer'
  | 'json'
  | { readonly words: readonly string[] }
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly either: readonly [Shape, Shape] }
  | Fields
  /** A schema: refers to itself. */
  | 'schema';

interface Fields {
  readonly fields: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** Other fields are dropped without a word. */
  readonly open?: true;
}

/** Who is told what is wrong, and what is dropped. */
export interface Listener {
  wrong(path: Path, message: string, rule: string): void;
  dropped(path: Path, message: string): void;
}

const strings = { list: 'string' } as const;
const schemas = { list: 'schema' } as const;
const schemaMap = { map: 'schema' } as const;
const oneOf = (...words: readonly string[]): Shape => ({ words });

const schema: Fields = {
  fields: {
    id: 'string',
    $schema: 'string',
    $ref: 'string',
    description: 'string',
    type: 'string',
    format: 'string',
    title: 'string',
    default: 'json',
    maximum: 'number',
    exclusiveMaximum: 'boolean',
    minimum: 'number',
    exclusiveMinimum: 'boolean',
    maxLength: 'integer',
    minLength: 'integer',
    pattern: 'string',
    maxItems: 'integer',
    minItems: 'integer',
    uniqueItems: 'boolean',
    multipleOf: 'number',
    enum: { list: 'json' },
    maxProperties: 'integer',
    minProperties: 'integer',
    required: strings,
    items: 'schema',
    allOf: schemas,
    oneOf: schemas,
    anyOf: schemas,
    not: 'schema',
    properties: schemaMap,
    additionalProperties: { either: ['boolean', 'schema'] },
    patternProperties: schemaMap,
    dependencies: { map: { either: [strings, 'schema'] } },
    additionalItems: { either: ['boolean', 'schema'] },
    definitions: schemaMap,
    externalDocs: { fields: { description: 'string', url: 'string' } },
    example: 'json',
    nullable: 'boolean',
    'x-kubernetes-preserve-unknown-fields': 'boolean',
    'x-kubernetes-embedded-resource': 'boolean',
    'x-kubernetes-int-or-string': 'boolean',
    'x-kubernetes-list-map-keys': strings,
    'x-kubernetes-list-type': oneOf('atomic', 'set', 'map'),
    'x-kubernetes-map-type': oneOf('atomic', 'granular'),
    'x-kubernetes-validations': {
      list: {
        fields: {
          rule: 'string',
          message: 'string',
          messageExpression: 'string',
          reason: oneOf(
            'FieldValueInvalid',
            'FieldValueForbidden',
            'FieldValueRequired',
            'FieldValueDuplicate',
          ),
          fieldPath: 'string',
          optionalOldSelf: 'boolean',
        },
        required: ['rule'],
      },
    },
  },
};

const version: Fields = {
  fields: {
    name: 'string',
    served: 'boolean',
    storage: 'boolean',
    deprecated: 'boolean',
    deprecationWarning: 'string',
    schema: { fields: { openAPIV3Schema: 'schema' } },
    subresources: {
      fields: {
        status: { fields: {} },
        scale: {
          fields: {
            specReplicasPath: 'string',
            statusReplicasPath: 'string',
            labelSelectorPath: 'string',
          },
          required: ['specReplicasPath', 'statusReplicasPath'],
        },
      },
    },
    additionalPrinterColumns: {
      list: {
        fields: {
          name: 'string',
          type: oneOf('integer', 'number', 'string', 'boolean', 'date'),
          format: 'string',
          description: 'string',
          priority: 'integer',
          jsonPath: 'string',
        },
        required: ['name', 'type', 'jsonPath'],
      },
    },
    selectableFields: { list: { fields: { jsonPath: 'string' }, required: ['jsonPath'] } },
  },
  required: ['name', 'served', 'storage'],
};

const conversion: Fields = {
  fields: {
    strategy: oneOf('None', 'Webhook'),
    webhook: {
      fields: {
        clientConfig: {
          fields: {
            url: 'string',
            service: {
              fields: { namespace: 'string', name: 'string', path: 'string', port: 'integer' },
              required: ['namespace', 'name'],
            },
            caBundle: 'string',
          },
        },
        conversionReviewVersions: strings,
      },
      required: ['conversionReviewVersions'],
    },
  },
  required: ['strategy'],
};

/** The shape of a whole CustomResourceDefinition. */
export const definitionShape: Fields = {
  fields: {
    apiVersion: 'string',
    kind: 'string',
    metadata: {
      fields: { name: 'string', labels: { map: 'string' }, annotations: { map: 'string' } },
      required: ['name'],
      open: true,
    },
    spec: {
      fields: {
        group: 'string',
        names: {
          fields: {
            kind: 'string',
            listKind: 'string',
            plural: 'string',
            singular: 'string',
            shortNames: strings,
            categories: strings,
          },
          required: ['kind', 'plural'],
        },
        scope: oneOf('Cluster', 'Namespaced'),
        versions: { list: version },
        conversion,
        preserveUnknownFields: 'boolean',
      },
      required: ['group', 'names', 'scope', 'versions'],
    },
  },
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
};

/**
 * A copy of a value in which every field has its type; what has not is told and left out. Never
 * throws, whatever the value, and never recurses deeper than a file may nest.
 */
export function shaped(shape: Shape, value: unknown, path: Path, listener: Listener): Json {
  if (path.length > MAX_DEPTH) {
    listener.wrong(path, `must be nested at most ${MAX_DEPTH} deep, got more`, 'nesting');
    return null;
  }
  if (shape === 'schema') return shapedFields(schema, value, path, listener);
  if (typeof shape === 'string') {
    if (shape === 'json') return copied(value, path, listener);
    if (fits(shape, value)) return value as Json;
    return refuse(words[shape], value, path, listener);
  }
  if ('words' in shape) {
    if (shape.words.includes(value as string)) return value as string;
    return refuse(mustBe(shape), value, path, listener);
  }
  if ('either' in shape) {
    const [first, second] = shape.either;
    const isFirst = first === 'boolean' ? typeof value === 'boolean' : Array.isArray(value);
    return shaped(isFirst ? first : second, value, path, listener);
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return refuse('a list', value, path, listener);
    return value.map((item, i) => shaped(shape.list, item, [...path, i], listener));
  }
  if ('map' in shape) {
    if (!isMapping(value)) return refuse('a mapping', value, path, listener);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        shaped(shape.map, item, [...path, key], listener),
      ]),
    );
  }
  return shapedFields(shape, value, path, listener);
}

function shapedFields(shape: Fields, value: unknown, path: Path, listener: Listener): Json {
  if (!isMapping(value)) return refuse('a mapping', value, path, listener);
  const kept: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === null || item === undefined) continue;
    const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    if (field !== undefined) {
      if (key === '$ref') {
        const must = 'must be the schema itself (the API server follows no reference)';
        listener.wrong([...path, key], `${must}, got ${show(item)}`, 'reference');
      }
      kept[key] = shaped(field, item, [...path, key], listener);
    } else if (!shape.open && !(path.length === 0 && key === 'status')) {
      const meant = nearest(key, Object.keys(shape.fields));
      const hint = meant === undefined ? '' : `; did you mean ${show(meant)}?`;
      const message = `must be a field of the API server's, got ${show(key)}, which it drops${hint}`;
      listener.dropped([...path, key], message);
    }
  }
  for (const name of shape.required ?? []) {
    if (Object.hasOwn(kept, name)) continue;
    const field = shape.fields[name]!;
    const must =
      typeof field === 'string' ? words[field] : 'list' in field ? 'a list' : 'a mapping';
    listener.wrong([...path, name], `must be ${must}, got nothing`, 'shape');
  }
  return kept;
}

/** A copy of plain data, so deep that it could not come from a file excepted. */
function copied(value: unknown, path: Path, listener: Listener): Json {
  if (typeof value !== 'object' || value === null) return value as Json;
  if (path.length >= MAX_DEPTH) {
    listener.wrong(path, `must be nested at most ${MAX_DEPTH} deep, got more`, 'nesting');
    return null;
  }
  if (Array.isArray(value)) return value.map((item, i) => copied(item, [...path, i], listener));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, copied(item, [...path, key], listener)]),
  );
}

function mustBe(shape: Shape): string {
  if (typeof shape === 'string') return words[shape];
  if ('words' in shape) return `one of ${shape.words.join(', ')}`;
  return 'list' in shape ? 'a list' : 'a mapping';
}

const words = {
  string: 'a string',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
  json: 'a value',
  schema: 'a schema (a mapping)',
} as const;

function fits(shape: 'string' | 'boolean' | 'number' | 'integer', value: unknown): boolean {
  return shape === 'integer' ? Number.isInteger(value) : typeof value === shape;
}

function refuse(must: string, value: unknown, path: Path, listener: Listener): null {
  listener.wrong(path, `must be ${must}, got ${show(value)}`, 'shape');
  return null;
}
