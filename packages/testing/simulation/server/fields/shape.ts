import { builtinFields, builtinListKeys } from '@tenantry/kube/builtin-fields';
import { isMapping } from '@tenantry/kube/mapping';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';

/** How server-side apply merges the value of a field. */
export interface Shape {
  /** The key fields of a list's items. @default - the list has no keys, and is replaced as a whole */
  readonly keys?: readonly string[] | undefined;
  /** Whether each item of a list has its own owners (a set). @default false */
  readonly isSet?: boolean;
  /** Whether a map is replaced as a whole. @default false */
  readonly isAtomicMap?: boolean;
  /** Whether the writer chooses the names of its fields, as with labels. @default false */
  readonly isMap?: boolean;
  field(name: string): Shape;
  item(): Shape;
}

/** Maps and structures of built-in types that are replaced as a whole. */
const atomicMaps = new Set([
  'selector',
  'nodeSelector',
  'labelSelector',
  'podSelector',
  'namespaceSelector',
  'scopeSelector',
  'fieldRef',
  'resourceFieldRef',
  'secretKeyRef',
  'configMapKeyRef',
  'roleRef',
  'regarding',
  'related',
]);

/** The shape of cluster-scoped kinds, whose fields are in no table. */
const untyped: Shape = { field: untypedField, item: () => untyped };

function untypedField(name: string): Shape {
  if (name === 'metadata') return builtinShape('ObjectMeta');
  const keys = name === 'conditions' ? ['type'] : undefined;
  return { ...untyped, keys, isAtomicMap: atomicMaps.has(name) };
}

const byType = new Map<string, Shape>();

/** Returns the shape of a built-in type, as `builtinFields` names it: `apps/v1/Deployment`. */
export function builtinShape(type: string): Shape {
  const found = byType.get(type);
  if (found) return found;
  const shape = typeShape(type);
  byType.set(type, shape);
  return shape;
}

function typeShape(type: string): Shape {
  const kind = type.slice(0, 2);
  if (kind === '[]' || kind === '{}') {
    const inner = () => builtinShape(type.slice(2));
    return { isMap: kind === '{}', field: inner, item: inner };
  }
  const types = builtinFields(type);
  if (!types) return untyped;
  const fields = new Map<string, Shape>();
  for (const [name, inner] of types) {
    const keys = builtinListKeys(type, name);
    fields.set(name, {
      keys: keys && keys.length > 0 ? keys.map((key) => key.name) : undefined,
      isSet: keys?.length === 0,
      isAtomicMap: atomicMaps.has(name),
      isMap: inner.startsWith('{}'),
      field: (at) => builtinShape(inner).field(at),
      item: () => builtinShape(inner).item(),
    });
  }
  return { field: (name) => fields.get(name) ?? untyped, item: () => untyped };
}

/**
 * Returns the shape of a custom resource, by its schema. Fields that the schema does not have are
 * merged by field.
 */
export function resourceShape(schema: JSONSchemaProps): Shape {
  const { field, item } = schemaShape(schema);
  return {
    field: (name) => (name === 'metadata' ? builtinShape('ObjectMeta') : field(name)),
    item,
  };
}

function schemaShape(schema: JSONSchemaProps): Shape {
  const { properties, additionalProperties, items } = schema;
  const list = schema['x-kubernetes-list-type'];
  return {
    keys: list === 'map' ? schema['x-kubernetes-list-map-keys'] : undefined,
    isSet: list === 'set',
    isAtomicMap: schema['x-kubernetes-map-type'] === 'atomic',
    isMap: properties === undefined && items === undefined,
    field: (name) => {
      const known = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
      return schemaShape(known ?? (isMapping(additionalProperties) ? additionalProperties : {}));
    },
    item: () => schemaShape(isMapping(items) ? items : {}),
  };
}
