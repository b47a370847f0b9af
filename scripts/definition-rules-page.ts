/** What each rule of `tenantry crd check` requires, by its name in findings. */
export const definitionRules = {
  Input: {
    'not-a-definition': 'The object is a CustomResourceDefinition of apiextensions.k8s.io/v1.',
    'not-json':
      'Each value is one that JSON has: a finite number, and nothing that contains itself.',
    'field-type': 'Each field has the type that the API server expects.',
    'unknown-field': 'Each field is one that Kubernetes knows: correct the spelling, or remove it.',
    'ignored-field': 'The API server ignores this field or value: correct it, or remove it.',
    'left-out': 'The API server reads a missing boolean as false: write true or false.',
    'items-list': '`items` is one schema for all items, not a list of schemas.',
    depth: 'Values are not nested so deep that only the API server can check them.',
    size: 'The definition fits into a request to the API server and to etcd: shorten it.',
    'client-side-apply':
      'The definition fits into the annotation of `kubectl apply`: use `--server-side`, or shorten it.',
  },
  Metadata: {
    name: 'The name is the plural and the group with a dot between.',
    namespace: 'A definition has no namespace: remove it.',
    'resource-version': 'A new definition has no `resourceVersion`: remove it.',
    'api-approval':
      'A definition in a group of Kubernetes has the annotation that names its approval: use a group of your own.',
    'label-key': 'The key of a label is a qualified name.',
    'label-value': 'The value of a label has at most 63 letters, digits, `-`, `_` and `.`.',
    'annotation-key': 'The key of an annotation is a qualified name.',
    'annotations-size': 'All annotations with their keys fit into 256 KiB: shorten them.',
    'owner-reference':
      'An owner has an apiVersion, a kind, a name and a uid, is no Event, and at most one is the controller.',
    finalizer:
      'A finalizer is a qualified name, and `orphan` and `foregroundDeletion` are not used together.',
  },
  'Names and scope': {
    group: 'The group is a DNS subdomain with a dot.',
    scope: 'The scope is Cluster or Namespaced.',
    plural: 'The plural is a DNS label that starts with a letter.',
    singular: 'The singular is a DNS label that starts with a letter.',
    kind: 'The kind is, in lower case, a DNS label that starts with a letter.',
    'list-kind':
      'The list kind is, in lower case, a DNS label of at most 63 characters, and is not the kind.',
    'short-name': 'A short name is a DNS label that starts with a letter.',
    category: 'A category is a DNS label that starts with a letter.',
  },
  Versions: {
    'version-name': 'The name of a version is a DNS label that starts with a letter.',
    'version-unique': 'No two versions have the same name.',
    'version-first': '`spec.version` is the first of the versions: remove it.',
    'storage-version': 'Exactly one version has `storage: true`.',
    'stored-version': 'Each version in `status.storedVersions` remains: migrate the objects first.',
    'schema-missing': 'Each version has a schema.',
    'part-of-version':
      'A schema, subresources and columns are set in each version if they differ, else once for all.',
    'deprecation-warning':
      'The warning is of a deprecated version, not empty, printable and at most 256 bytes long.',
    'version-losses': 'A field of one version is in the others, or conversion drops its value.',
    'preserve-unknown-fields':
      '`preserveUnknownFields` is absent or false, and `x-kubernetes-preserve-unknown-fields` is absent or true.',
    immutable: 'An update does not change this field: create a new definition.',
  },
  'Columns, subresources and selectable fields': {
    'column-name': 'A column has a name.',
    'column-type': 'The type of a column is one that the API server prints.',
    'column-format': 'The format of a column is one that the API server prints.',
    'column-path': "The path of a column is a JSON path that starts with '.'.",
    'scale-path': 'The path of `scale` is a JSON path below `.spec` or `.status`.',
    'selectable-field':
      'A selectable field is a path to a string, boolean or integer outside of `metadata`, and is listed once.',
    'selectable-fields-count': 'A version has at most 8 selectable fields.',
    'selectable-fields-shared':
      'Selectable fields are the same in all versions exactly if the schemas are.',
  },
  Conversion: {
    'conversion-strategy':
      'The strategy is None or Webhook, and None with `preserveUnknownFields`.',
    'conversion-webhook-unused': 'Fields of a webhook are absent unless the strategy is Webhook.',
    'conversion-client': 'The webhook has either a `url` or a `service`.',
    'conversion-service': 'The service has a name, a namespace, a valid port and a valid path.',
    'conversion-url': 'The URL starts with https and has a host, but no user, query or fragment.',
    'conversion-ca': 'The CA bundle consists of certificates in PEM.',
    'conversion-review-versions':
      'The review versions are unique labels, and v1 or v1beta1 is one.',
  },
  Schemas: {
    type: 'A type is one of array, boolean, integer, number, object and string.',
    'type-missing': 'Each part of a schema has a type.',
    'root-type': 'The root is an object.',
    'root-additional-properties': 'The root has no `additionalProperties`: list its fields.',
    'root-metadata': '`metadata` at the root restricts only `name` and `generateName`.',
    'root-nullable': 'The root is not nullable.',
    'root-with-status':
      'With the status subresource, the root has only the keywords that Kubernetes allows there.',
    'meta-type': '`apiVersion` and `kind` are strings, and `metadata` is an object.',
    items: 'An array has a schema of its items.',
    'additional-properties': '`additionalProperties` is not used beside `properties`: keep one.',
    'unsupported-field': 'The keyword is one that the API server supports: remove it.',
    'unique-items': 'Use `x-kubernetes-list-type: set` in place of `uniqueItems`.',
    'int-or-string': 'With `x-kubernetes-int-or-string`, `type` and the like are absent.',
    'embedded-resource':
      'An embedded resource is an object with fields, or preserves unknown fields.',
    'embedded-in-metadata': 'No resource is embedded in `apiVersion`, `kind` or `metadata`.',
    pattern: 'A pattern is a regular expression that the API server can compile.',
    format: 'A format is one that the API server checks for the type; it ignores others.',
    contradiction: 'A value can be valid: the constraints do not exclude each other.',
    'inside-junctor':
      'Types, defaults and the like are outside of `allOf`, `anyOf`, `oneOf` and `not`.',
    'not-outside': 'A field inside `allOf`, `anyOf`, `oneOf` or `not` is also declared outside.',
  },
  Lists: {
    'list-type': 'A list type is atomic, set or map, and is of an array.',
    'map-type': 'A map type is atomic or granular, and is of an object.',
    'set-items': 'The items of a set are scalars, or atomic lists and objects.',
    'list-map-keys': 'A list of type map names its keys: unique, scalar fields of the items.',
    'list-map-items': 'The items of a list of type map are objects.',
    'list-map-key-optional': 'A key of a list is required, or has a default.',
    'list-map-key-nullable': 'A key of a list is not nullable.',
    'list-item-nullable': 'An item of a set or map is not nullable.',
  },
  Defaults: {
    default: 'A default is valid against its own schema.',
    'default-forbidden': 'There is no default at this place: remove it.',
    'default-unknown-field': 'A default has only fields that its schema has.',
    'default-rules': 'A default satisfies the CEL rules of its schema.',
    'embedded-object': 'A default of an embedded resource is a valid object of Kubernetes.',
  },
  'CEL rules': {
    'cel-rule': 'A rule is CEL that the API server can compile, and gives a boolean.',
    'cel-rule-empty': 'A rule is not empty.',
    'cel-message':
      'A message is not blank and has one line; a rule with several lines has a message.',
    'cel-message-expression': 'A message expression is CEL that gives a string.',
    'cel-field-path': 'A field path leads to a field of the schema.',
    'cel-reason': 'A reason is one that the API server knows.',
    'cel-old-self': '`oldSelf` is not used where the old value cannot be found.',
    'cel-optional-old-self': '`optionalOldSelf` is set only for a rule that uses `oldSelf`.',
    'cel-cost': 'A rule is cheap enough: bound the lists, mappings and strings that it reads.',
    'cel-cost-together': 'All rules together are cheap enough: bound what the dearest ones read.',
  },
} as const satisfies Record<string, Record<string, string>>;

/** Renders the reference page of these rules, in Markdown. */
export function definitionRulesPage(): string {
  const sections = Object.entries(definitionRules).flatMap(([title, rules]) => [
    '',
    `## ${title}`,
    '',
    '| rule | requirement |',
    '| --- | --- |',
    ...Object.entries(rules).map(([rule, requirement]) => `| \`${rule}\` | ${requirement} |`),
  ]);
  return [
    '# Rules of CustomResourceDefinitions',
    '',
    'The rules of `tenantry crd check`, by the names in its findings. A finding names the place and the value that does not meet the requirement.',
    ...sections,
    '',
  ].join('\n');
}
