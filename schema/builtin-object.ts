import { builtinFields } from '../kube/builtin-fields.ts';
import type { Finding } from '../kube/finding.ts';
import type { KubeObject } from '../kube/object.ts';
import { dropNulls } from './admission/pruning.ts';
import { scalarSchemas } from './builtin/scalars.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import { applyOptions } from './language/node.ts';
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
  const schema = schemaOf(type);
  return compileSchema(schema).check(dropNulls(schema, object)).errors;
}

/**
 * The schema of the values of a built-in type, such as `DeploymentSpec`, as the decoder of an API server accepts them.
 * Required fields are not checked. One object for each type.
 * @throws {Error} where Kubernetes has no such type
 */
export function builtinSchema(type: string): JSONSchemaProps {
  return schemaOf(type);
}

const made = new Map<string, JSONSchemaProps>();

/**
 * The schema of values as the decoder accepts them, one object for each type. No type contains itself; among the
 * cluster's types only CustomResourceDefinitions do.
 */
function schemaOf(type: string): JSONSchemaProps {
  const schema = made.get(type) ?? scalarSchemas[type] ?? makeSchema(type);
  made.set(type, schema);
  return schema;
}

function makeSchema(type: string): JSONSchemaProps {
  if (type.startsWith('[]')) return { type: 'array', items: nullable(schemaOf(type.slice(2))) };
  if (type.startsWith('{}')) {
    return { type: 'object', additionalProperties: schemaOf(type.slice(2)) };
  }
  const fields = builtinFields(type);
  if (!fields) throw new Error(`${type} must be a type of Kubernetes`);
  const properties = [...fields].map(([field, inner]) => [field, schemaOf(inner)] as const);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** Allows null: in a list it is read as the empty value of its type, in an object as an absent field. */
function nullable(schema: JSONSchemaProps): JSONSchemaProps {
  const must = schema.type === 'object' ? 'a mapping' : undefined;
  return applyOptions({ ...schema, nullable: true }, must === undefined ? {} : { must });
}
