import { builtinFields } from '@tenantry/kube/builtin-fields';
import type { Finding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { dropNulls } from './admission/pruning.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import { applyOptions } from './language/options.ts';
import { compileSchema } from './validator.ts';

/**
 * Validates an object of a built-in kind as an API server decodes it under strict field validation: it reports unknown
 * fields and values of wrong types. Checks in the code of the API server are not included: required fields, ranges, and
 * fields that depend on each other. Schemas are built when the first object of a kind is validated.
 *
 * Source: Kubernetes 1.36, k8s.io/apimachinery/pkg/runtime/serializer/json and sigs.k8s.io/json
 *
 * @returns undefined for a kind under an apiVersion that Kubernetes does not have, or that lies in no
 * namespace
 */
export function validateBuiltinObject(object: KubeObject): readonly Finding[] | undefined {
  const type = `${object.apiVersion}/${object.kind}`;
  if (!builtinFields(type)) return undefined;
  const schema = builtinSchema(type);
  return compileSchema(schema).check(dropNulls(schema, object)).errors;
}

const made = new Map<string, JSONSchemaProps>();

/**
 * Returns the schema of the values of a built-in type, such as `DeploymentSpec`, as the decoder of an API server
 * accepts them: one object for each type. Required fields are not checked. No type contains itself; among the cluster's
 * types only CustomResourceDefinitions do.
 * @throws {Error} where Kubernetes has no such type
 */
export function builtinSchema(type: string): JSONSchemaProps {
  const schema = made.get(type) ?? scalarSchemas[type] ?? makeSchema(type);
  made.set(type, schema);
  return schema;
}

function makeSchema(type: string): JSONSchemaProps {
  if (type.startsWith('[]'))
    return { type: 'array', items: nullable(builtinSchema(type.slice(2))) };
  if (type.startsWith('{}')) {
    return { type: 'object', additionalProperties: builtinSchema(type.slice(2)) };
  }
  const fields = builtinFields(type);
  if (!fields) throw new Error(`${type} must be a type of Kubernetes`);
  const properties = [...fields].map(([field, inner]) => [field, builtinSchema(inner)] as const);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** Allows null: in a list it is read as the empty value of its type, in an object as an absent field. */
function nullable(schema: JSONSchemaProps): JSONSchemaProps {
  const must = schema.type === 'object' ? 'a mapping' : undefined;
  return applyOptions({ ...schema, nullable: true }, must === undefined ? {} : { must });
}

const DAYS = [
  '[0-9]{4}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])',
  '[0-9]{4}-(0[469]|11)-(0[1-9]|[12][0-9]|30)',
  '[0-9]{4}-02-(0[1-9]|1[0-9]|2[0-8])',
  '([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29',
];

/** A time as Go's time.Parse accepts it, including hours of one digit, a comma, and offsets that no place has. */
const moment = (fraction: string): string =>
  `^(${DAYS.join('|')})T([01]?[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]${fraction}(Z|[+-]([01][0-9]|2[0-4]):([0-5][0-9]|60))$`;

/** Base64 with line breaks anywhere and unused bits at the end, as Go's StdEncoding accepts it. */
const BASE64 = '^[\\r\\n]*(C{4})*(C{4}|C{2}=[\\r\\n]*=[\\r\\n]*|C{3}=[\\r\\n]*)?$'.replaceAll(
  'C',
  '([A-Za-z0-9+/][\\r\\n]*)',
);

/**
 * A quantity. It may be a sign, a point or a suffix without a digit: all of these are 0.
 * Source: k8s.io/apimachinery/pkg/api/resource parseQuantityString
 */
const QUANTITY = '^[ ]*[+-]?[0-9]*([.][0-9]*)?([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?[ ]*$';

const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** The types without fields, as an API server's decoder accepts their values from JSON. */
const scalarSchemas: Readonly<Record<string, JSONSchemaProps>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  number: { type: 'number' },
  bytes: applyOptions({ type: 'string', pattern: BASE64 }, { must: 'base64' }),
  time: applyOptions(
    { type: 'string', pattern: moment('([.,][0-9]+)?') },
    { must: "a time such as '2026-01-31T12:00:00Z'" },
  ),
  microtime: applyOptions(
    { type: 'string', pattern: moment('[.,][0-9]{6}') },
    { must: "a time with six decimals, such as '2026-01-31T12:00:00.000000Z'" },
  ),
  quantity: applyOptions(
    { anyOf: [{ type: 'string', pattern: QUANTITY, minLength: 1 }, { type: 'number' }] },
    { must: "a quantity such as '500m', '2Gi' or 10" },
  ),
  'int-or-string': { 'x-kubernetes-int-or-string': true, ...INT32 },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
};
