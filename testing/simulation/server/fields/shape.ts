import { isMapping } from '../../../../kube/mapping.ts';
import type { JSONSchemaProps } from '../../../../schema/jsonschema.ts';

/** How what stands at one place is merged by server-side apply. */
export interface Shape {
  /** A list with the fields by which items are known. @default - it has none: the list is replaced whole */
  readonly keys?: readonly string[] | undefined;
  /** A list of which each item stands for itself. @default false */
  readonly isSet?: boolean;
  /** A map that is replaced whole. @default false */
  readonly isAtomicMap?: boolean;
  /** The names of its fields are chosen by who writes it, as those of labels are. @default false */
  readonly isMap?: boolean;
  field(name: string): Shape;
  item(): Shape;
}

/** Lists of Kubernetes' own types whose items are known by these fields. */
const keyedLists: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  ephemeralContainers: ['name'],
  volumes: ['name'],
  imagePullSecrets: ['name'],
  secrets: ['name'],
  env: ['name'],
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
  hostAliases: ['ip'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  schedulingGates: ['name'],
  resourceClaims: ['name'],
  claims: ['name'],
  conditions: ['type'],
  podIPs: ['ip'],
  ownerReferences: ['uid'],
  ports: ['containerPort', 'protocol'],
};

/** Maps and structures of Kubernetes' own types that are replaced whole. */
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

const maps = new Set([
  'labels',
  'annotations',
  'data',
  'stringData',
  'binaryData',
  'limits',
  'requests',
  'hard',
  'used',
]);

/** Of objects of Kubernetes' own kinds: the name of a field is enough there to tell. */
const plain: Shape = { field: builtinField, item: () => plain };
const chosen: Shape = { isMap: true, field: () => plain, item: () => plain };

function builtinField(name: string): Shape {
  if (maps.has(name)) return chosen;
  const keys = keyedLists[name];
  const isSet = name === 'finalizers';
  return { keys, isSet, isAtomicMap: atomicMaps.has(name), field: builtinField, item: () => plain };
}

export const builtinShape: Shape = plain;

/** Of a custom resource: by its schema. What that does not know is merged by fields. */
export function resourceShape(schema: JSONSchemaProps): Shape {
  const { field, item } = schemaShape(schema);
  return { field: (name) => (name === 'metadata' ? plain : field(name)), item };
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
