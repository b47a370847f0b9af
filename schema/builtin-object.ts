import { builtinFields } from '../kube/builtin-fields.ts';
import type { Finding } from '../kube/finding.ts';
import type { KubeObject } from '../kube/object.ts';
import { dropNulls } from './admission/pruning.ts';
import { scalarSchemas } from './builtin/scalars.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import { applyOptions } from './language/node.ts';
import { compileSchema } from './validator.ts';

/**
 * What an API server refuses of an object of a kind of its own when it reads it, under strict field
 * validation: fields that the kind does not have, and values of other types. What it asks of the
 * object then is written in its code: which fields must be there, ranges, which of them go together.
 * That is not asked here. Schemas are made when the first object of a kind comes.
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
 * The schema of the values of a type of Kubernetes' own, such as `DeploymentSpec`, as the decoder of
 * an API server takes them: what must be there is not asked. One object for each type.
 * @throws {Error} where Kubernetes has no such type
 */
export function builtinSchema(type: string): JSONSchemaProps {
  return schemaOf(type);
}

const made = new Map<string, JSONSchemaProps>();

/**
 * The schema of values as the decoder takes them, one object for each type. No type holds itself; of
 * those of the cluster only CustomResourceDefinitions do.
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

/** A null in a list is read as the empty value of its type; one in an object as if it were not there. */
function nullable(schema: JSONSchemaProps): JSONSchemaProps {
  const must = schema.type === 'object' ? 'a mapping' : undefined;
  return applyOptions({ ...schema, nullable: true }, must === undefined ? {} : { must });
}
