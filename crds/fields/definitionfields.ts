import {
  boolean,
  booleanPointer,
  bytes,
  int32,
  int64,
  json,
  list,
  map,
  number,
  oneOf,
  oneOfPointer,
  string,
  stringPointer,
  struct,
  time,
  type Fields,
  type Shape,
} from './fieldtype.ts';

/*
 * The types of apiextensions.k8s.io/v1 and of its metadata, field by field.
 * Source: `pkg/apis/apiextensions/v1/types.go` and `types_jsonschema.go` of apiextensions-apiserver,
 * `pkg/apis/meta/v1/types.go` of apimachinery.
 */

const ownerReference = struct('an owner reference', () => ({
  apiVersion: string,
  kind: string,
  name: string,
  uid: string,
  controller: booleanPointer,
  blockOwnerDeletion: booleanPointer,
}));

const managedFields = struct('an entry of managedFields', () => ({
  manager: string,
  operation: string,
  apiVersion: string,
  time,
  fieldsType: string,
  fieldsV1: json,
  subresource: string,
}));

const objectMeta = struct('metadata', () => ({
  name: string,
  generateName: string,
  namespace: string,
  selfLink: string,
  uid: string,
  resourceVersion: string,
  generation: int64,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: int64,
  labels: map(string),
  annotations: map(string),
  ownerReferences: list(ownerReference),
  finalizers: list(string),
  managedFields: list(managedFields),
}));

const externalDocs = struct('externalDocs', () => ({ description: string, url: string }));

const validationRule = struct(
  'a CEL rule',
  () => ({
    rule: string,
    message: string,
    messageExpression: string,
    reason: oneOfPointer(
      'FieldValueInvalid',
      'FieldValueForbidden',
      'FieldValueRequired',
      'FieldValueDuplicate',
    ),
    fieldPath: string,
    optionalOldSelf: booleanPointer,
  }),
  ['rule'],
);

const schema: Shape = struct('a schema', () => schemaFields);
const schemas = list(schema);
const schemaMap = map(schema);
const schemaOrBoolean: Shape = { is: 'schema or boolean', schema: () => schema };

const schemaFields: Fields = {
  id: string,
  $schema: string,
  $ref: stringPointer,
  description: string,
  type: string,
  format: string,
  title: string,
  default: json,
  maximum: number,
  exclusiveMaximum: boolean,
  minimum: number,
  exclusiveMinimum: boolean,
  maxLength: int64,
  minLength: int64,
  pattern: string,
  maxItems: int64,
  minItems: int64,
  uniqueItems: boolean,
  multipleOf: number,
  enum: list(json),
  maxProperties: int64,
  minProperties: int64,
  required: list(string),
  items: { is: 'items', schema: () => schema },
  allOf: schemas,
  oneOf: schemas,
  anyOf: schemas,
  not: schema,
  properties: schemaMap,
  additionalProperties: schemaOrBoolean,
  patternProperties: schemaMap,
  dependencies: map({ is: 'schema or names', schema: () => schema }),
  additionalItems: schemaOrBoolean,
  definitions: schemaMap,
  externalDocs,
  example: json,
  nullable: boolean,
  'x-kubernetes-preserve-unknown-fields': booleanPointer,
  'x-kubernetes-embedded-resource': boolean,
  'x-kubernetes-int-or-string': boolean,
  'x-kubernetes-list-map-keys': list(string),
  'x-kubernetes-list-type': oneOfPointer('atomic', 'set', 'map'),
  'x-kubernetes-map-type': oneOfPointer('atomic', 'granular'),
  'x-kubernetes-validations': list(validationRule),
};

const namesFields = (): Fields => ({
  plural: string,
  singular: string,
  shortNames: list(string),
  kind: string,
  listKind: string,
  categories: list(string),
});

const clientConfig = struct('a client configuration', () => ({
  url: stringPointer,
  service: struct(
    'a service reference',
    () => ({ namespace: string, name: string, path: stringPointer, port: int32 }),
    ['namespace', 'name'],
  ),
  caBundle: bytes,
}));

const conversion = struct(
  'a conversion',
  () => ({
    strategy: oneOf('None', 'Webhook'),
    webhook: struct(
      'a conversion webhook',
      () => ({ clientConfig, conversionReviewVersions: list(string) }),
      ['conversionReviewVersions'],
    ),
  }),
  ['strategy'],
);

const scale = struct(
  'a scale subresource',
  () => ({
    specReplicasPath: string,
    statusReplicasPath: string,
    labelSelectorPath: stringPointer,
  }),
  ['specReplicasPath', 'statusReplicasPath'],
);

const printerColumn = struct(
  'a printer column',
  () => ({
    name: string,
    type: oneOf('integer', 'number', 'string', 'boolean', 'date'),
    format: string,
    description: string,
    priority: int32,
    jsonPath: string,
  }),
  ['name', 'type', 'jsonPath'],
);

const version = struct(
  'a version',
  () => ({
    name: string,
    served: boolean,
    storage: boolean,
    deprecated: boolean,
    deprecationWarning: stringPointer,
    schema: struct('a schema', () => ({ openAPIV3Schema: schema })),
    subresources: struct('subresources', () => ({
      status: struct('a status subresource', () => ({})),
      scale,
    })),
    additionalPrinterColumns: list(printerColumn),
    selectableFields: list(
      struct('a selectable field', () => ({ jsonPath: string }), ['jsonPath']),
    ),
  }),
  ['name', 'served', 'storage'],
);

const condition = struct('a condition', () => ({
  type: string,
  status: string,
  lastTransitionTime: time,
  reason: string,
  message: string,
  observedGeneration: int64,
}));

const spec = struct(
  'a spec',
  () => ({
    group: string,
    names: struct('names', namesFields, ['kind', 'plural']),
    scope: oneOf('Cluster', 'Namespaced'),
    versions: list(version),
    conversion,
    preserveUnknownFields: boolean,
  }),
  ['group', 'names', 'scope', 'versions'],
);

const status = struct('a status', () => ({
  conditions: list(condition),
  acceptedNames: struct('names', namesFields),
  storedVersions: list(string),
  observedGeneration: int64,
}));

export const customResourceDefinition = struct(
  'a CustomResourceDefinition',
  () => ({ apiVersion: string, kind: string, metadata: objectMeta, spec, status }),
  ['apiVersion', 'kind', 'metadata', 'spec'],
);
