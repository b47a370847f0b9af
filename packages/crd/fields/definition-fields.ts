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
  refused,
  string,
  stringPointer,
  struct,
  time,
  type Fields,
  type Shape,
} from './field-reader.ts';

/*
 * The types of apiextensions.k8s.io/v1 and of its metadata, field by field.
 * Source: `pkg/apis/apiextensions/v1/types.go` and `types_jsonschema.go` of apiextensions-apiserver,
 * `pkg/apis/meta/v1/types.go` of apimachinery.
 */

const ownerReference = struct(() => ({
  apiVersion: string,
  kind: string,
  name: string,
  uid: string,
  controller: booleanPointer,
  blockOwnerDeletion: booleanPointer,
}));

const managedFields = struct(() => ({
  manager: string,
  operation: string,
  apiVersion: string,
  time,
  fieldsType: string,
  fieldsV1: json,
  subresource: string,
}));

const objectMeta = struct(() => ({
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

const externalDocs = struct(() => ({ description: string, url: string }));

const validationRule = struct(
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

const schema: Shape = struct(() => schemaFields);
const schemas = list(schema);
const schemaMap = map(schema);
const schemaOrBoolean: Shape = { is: 'schema or boolean', schema: () => schema };

const schemaFields: Fields = {
  id: string,
  $schema: string,
  $ref: refused('the schema itself (the API server follows no reference)'),
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

const clientConfig = struct(() => ({
  url: stringPointer,
  service: struct(
    () => ({ namespace: string, name: string, path: stringPointer, port: int32 }),
    ['namespace', 'name'],
  ),
  caBundle: bytes,
}));

const conversion = struct(
  () => ({
    strategy: oneOf('None', 'Webhook'),
    webhook: struct(
      () => ({ clientConfig, conversionReviewVersions: list(string) }),
      ['conversionReviewVersions'],
    ),
  }),
  ['strategy'],
);

const scale = struct(
  () => ({
    specReplicasPath: string,
    statusReplicasPath: string,
    labelSelectorPath: stringPointer,
  }),
  ['specReplicasPath', 'statusReplicasPath'],
);

const printerColumn = struct(
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
  () => ({
    name: string,
    served: boolean,
    storage: boolean,
    deprecated: boolean,
    deprecationWarning: stringPointer,
    schema: struct(() => ({ openAPIV3Schema: schema })),
    subresources: struct(() => ({
      status: struct(() => ({})),
      scale,
    })),
    additionalPrinterColumns: list(printerColumn),
    selectableFields: list(struct(() => ({ jsonPath: string }), ['jsonPath'])),
  }),
  ['name', 'served', 'storage'],
);

const condition = struct(() => ({
  type: string,
  status: string,
  lastTransitionTime: time,
  reason: string,
  message: string,
  observedGeneration: int64,
}));

const spec = struct(
  () => ({
    group: string,
    names: struct(namesFields, ['kind', 'plural']),
    scope: oneOf('Cluster', 'Namespaced'),
    versions: list(version),
    conversion,
    preserveUnknownFields: boolean,
  }),
  ['group', 'names', 'scope', 'versions'],
);

const status = struct(() => ({
  conditions: list(condition),
  acceptedNames: struct(namesFields),
  storedVersions: list(string),
  observedGeneration: int64,
}));

export const customResourceDefinition = struct(
  () => ({ apiVersion: string, kind: string, metadata: objectMeta, spec, status }),
  ['apiVersion', 'kind', 'metadata', 'spec'],
);
