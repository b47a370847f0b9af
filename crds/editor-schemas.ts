import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { readWords } from '@tenantry/crd/schema/words';
import { isMapping } from '@tenantry/kube/mapping';
import type { DeclaredKind } from './declared-kind.ts';
import { platform } from './platform.ts';
import { tenant } from './tenant.ts';
import { tenantClass } from './tenant-class.ts';

/** A JSON Schema of draft 7, as editors read it. */
export type EditorSchema = Readonly<Record<string, unknown>>;

const DRAFT = 'http://json-schema.org/draft-07/schema#';

/**
 * Builds the JSON Schemas of our kinds by their file names, and `tenants.schema.json` for files that have Tenants and
 * TenantClasses. Fields that are not in a schema are errors, as in `tenantry check`.
 */
export function buildEditorSchemas(): ReadonlyMap<string, EditorSchema> {
  const ofKinds = [tenant, tenantClass, platform].map((kind): [string, EditorSchema] => [
    nameSchema(kind),
    buildEditorSchema(kind),
  ]);
  const either: EditorSchema = {
    $schema: DRAFT,
    title: 'Tenant or TenantClass',
    description: 'A declaration of Tenantry.',
    oneOf: [{ $ref: nameSchema(tenant) }, { $ref: nameSchema(tenantClass) }],
  };
  return new Map([...ofKinds, [DECLARATIONS_SCHEMA, either]]);
}

/** The file of the schema for a folder of tenants. */
export const DECLARATIONS_SCHEMA = 'tenants.schema.json';
/** The file of the schema for the platform file. */
export const PLATFORM_SCHEMA = nameSchema(platform);

function nameSchema({ kind }: Pick<DeclaredKind, 'kind'>): string {
  return `${kind.toLowerCase()}.schema.json`;
}

function buildEditorSchema({ kind, apiVersion, file }: DeclaredKind): EditorSchema {
  const { properties = {}, ...rest } = convertSchema(file);
  return {
    $schema: DRAFT,
    title: kind,
    ...rest,
    properties: {
      ...(properties as object),
      apiVersion: {
        description: 'The version of the API.',
        enum: [apiVersion],
        default: apiVersion,
      },
      kind: { description: 'The kind.', enum: [kind], default: kind },
    },
  };
}

/**
 * Converts a structural schema of Kubernetes into a JSON Schema of draft 7. Kubernetes' own keywords become what they
 * mean. Objects have no other fields than those of the schema.
 */
export function convertSchema(schema: JSONSchemaProps): EditorSchema {
  return { ...convertValidation(schema), ...convertStructure(schema) };
}

/** Converts what describes a value: its type, its texts and what is in it. */
function convertStructure(schema: JSONSchemaProps): EditorSchema {
  const { description, example, items, properties, additionalProperties } = schema;
  const { must, absent } = readWords(schema);
  const words = [description, absent === undefined ? undefined : `Absent: ${absent}.`];
  const text = words.filter((one) => one !== undefined).join(' ');
  return {
    ...(text !== '' && { description: text }),
    ...(schema['x-kubernetes-int-or-string']
      ? { type: addNull(schema, ['integer', 'string']) }
      : schema.type !== undefined && { type: addNull(schema, [schema.type]) }),
    ...readDefault(schema, absent),
    ...(example !== undefined && { examples: [example] }),
    ...(must !== undefined &&
      schema.pattern !== undefined && { patternErrorMessage: `must be ${must}` }),
    ...(schema['x-kubernetes-list-type'] === 'set' && { uniqueItems: true }),
    ...(items && { items: convertSchema(items) }),
    ...(properties && { properties: convertProperties(properties) }),
    ...convertOtherFields(schema, additionalProperties),
  };
}

/** Converts the fields of an object. In a file, an entry of `resources` can also name a file (`expandResources`). */
function convertProperties(properties: NonNullable<JSONSchemaProps['properties']>): EditorSchema {
  const isResource = 'manifest' in properties && 'preset' in properties;
  return {
    ...mapValues(properties, convertSchema),
    ...(isResource && { file: INCLUDED_FILE }),
  };
}

const INCLUDED_FILE: EditorSchema = {
  description: 'A file with the objects, instead of `manifest`. The path is relative to this file.',
  type: 'string',
};

/** Converts what is true of fields that the schema does not name. */
function convertOtherFields(
  schema: JSONSchemaProps,
  additional: JSONSchemaProps['additionalProperties'],
): EditorSchema {
  if (isMapping(additional)) return { additionalProperties: convertSchema(additional) };
  const isOpen =
    additional === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-embedded-resource'] === true;
  return schema.type === 'object' && !isOpen ? { additionalProperties: false } : {};
}

/** Reads the default of a value; of a class or the platform it is known where it is spelled as a value. */
function readDefault(schema: JSONSchemaProps, absent: string | undefined): EditorSchema {
  if (schema.default !== undefined) return { default: schema.default };
  const word = /^`([^`]+)`$/.exec(absent ?? '')?.[1] ?? absent;
  if (word === undefined) return {};
  if (schema.type === 'boolean' && /^(true|false)$/.test(word)) return { default: word === 'true' };
  if (schema.type === 'integer' && /^\d+$/.test(word)) return { default: Number(word) };
  return schema.enum?.includes(word) ? { default: word } : {};
}

/** Converts what restricts a value. In `allOf`, `anyOf`, `oneOf` and `not` there is nothing else. */
function convertValidation(schema: JSONSchemaProps): EditorSchema {
  const { enum: values, pattern, format, not, allOf, anyOf, oneOf, required } = schema;
  const list = (some: readonly JSONSchemaProps[]) => some.map(convertBranch);
  // Kubernetes has its own form of int-or-string, which the type states already.
  const any = schema['x-kubernetes-int-or-string'] ? undefined : anyOf;
  return {
    ...pickNumbers(schema),
    ...(values && { enum: schema.nullable ? [...values, null] : values }),
    ...(pattern !== undefined && isPattern(pattern) && { pattern }),
    ...(format !== undefined && editorFormats.has(format) && { format }),
    ...(required && { required }),
    ...(allOf && { allOf: list(allOf) }),
    ...(any && { anyOf: list(any) }),
    ...(oneOf && { oneOf: list(oneOf) }),
    ...(not && { not: convertBranch(not) }),
  };
}

function convertBranch(schema: JSONSchemaProps): EditorSchema {
  const { items, properties, type } = schema;
  return {
    ...convertValidation(schema),
    ...(type !== undefined && { type }),
    ...(items && { items: convertBranch(items) }),
    ...(properties && { properties: mapValues(properties, convertBranch) }),
  };
}

const counts: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
  'uniqueItems',
]);

/** Picks the bounds. An exclusive bound is a number in draft 7, and a flag in Kubernetes. */
function pickNumbers(schema: JSONSchemaProps): EditorSchema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const plain = Object.entries(schema).filter(([key]) => counts.has(key));
  return {
    ...Object.fromEntries(plain),
    ...(minimum !== undefined && { [exclusiveMinimum ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum !== undefined && { [exclusiveMaximum ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}

/** The formats that mean the same in Kubernetes and in JSON Schema. */
const editorFormats = new Set(['date-time', 'date', 'email', 'uri', 'ipv4', 'ipv6', 'hostname']);

/** Whether an editor, which reads patterns as JavaScript does, can read a pattern of Go. */
function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}

function addNull({ nullable }: JSONSchemaProps, types: readonly string[]): string | string[] {
  const all = nullable ? [...types, 'null'] : [...types];
  return all.length === 1 ? all[0]! : all;
}

function mapValues<T>(
  map: Readonly<Record<string, T>>,
  convert: (value: T) => EditorSchema,
): Readonly<Record<string, EditorSchema>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, convert(value)]));
}
