import type { SchemaNode } from './schema.ts';
import type { Json } from '../object.ts';

/**
 * The schema as `spec.versions[].schema.openAPIV3Schema` of a CustomResourceDefinition: everything
 * that the API server enforces, and nothing else.
 */
export function openApi(node: SchemaNode): { [key: string]: Json } {
  const out: { [key: string]: Json } = {};
  if (node.description !== undefined) out['description'] = node.description;
  if (node.type !== undefined) out['type'] = node.type;
  if (node.intOrString) {
    out['anyOf'] = [{ type: 'integer' }, { type: 'string' }];
    out['x-kubernetes-int-or-string'] = true;
  }
  for (const key of scalars) {
    const value = node[key];
    if (value !== undefined) out[key] = value;
  }
  if (node.enum) out['enum'] = [...node.enum];
  if (node.required) out['required'] = [...node.required];
  if (node.items) out['items'] = openApi(node.items);
  if (node.additionalProperties) out['additionalProperties'] = openApi(node.additionalProperties);
  if (node.properties) {
    out['properties'] = Object.fromEntries(
      Object.entries(node.properties).map(([name, field]) => [name, openApi(field)]),
    );
  }
  if (node.preserveUnknownFields) out['x-kubernetes-preserve-unknown-fields'] = true;
  if (node.embeddedResource) out['x-kubernetes-embedded-resource'] = true;
  if (node.listType) out['x-kubernetes-list-type'] = node.listType;
  if (node.listMapKeys) out['x-kubernetes-list-map-keys'] = [...node.listMapKeys];
  if (node.mapType) out['x-kubernetes-map-type'] = node.mapType;
  if (node.rules) {
    out['x-kubernetes-validations'] = node.rules.map(({ rule, message }) => ({ rule, message }));
  }
  return out;
}

const scalars = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;
