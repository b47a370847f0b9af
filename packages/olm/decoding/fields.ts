import { builtinFields } from '@tenantry/kube/builtin-fields';

/** A type with fields. */
export interface FieldsOfType {
  /** The types of the fields, by name. */
  readonly types: ReadonlyMap<string, string>;
  /** Returns the name of the field that a key matches, in any case. */
  named(key: string): string | undefined;
  /** Whether the values of a field are not converted to strings. */
  isEmbedded(field: string): boolean;
}

let lines: ReadonlyMap<string, string> | undefined;
const known = new Map<string, FieldsOfType | undefined>();

/** Returns the fields of a type; undefined for a type without fields, such as `string`. */
export function findFields(type: string): FieldsOfType | undefined {
  if (!known.has(type)) known.set(type, makeFields(type));
  return known.get(type);
}

function makeFields(type: string): FieldsOfType | undefined {
  lines ??= new Map(
    fieldTable
      .trim()
      .split('\n')
      .map((line) => [line.split(' ')[0]!, line]),
  );
  const line = lines.get(type);
  const types =
    line === undefined ? builtinFields(type) : new Map(line.split(' ').slice(1).map(nameAndType));
  if (types === undefined) return undefined;
  const folded = new Map<string, string>();
  for (const name of types.keys()) {
    if (!folded.has(foldCase(name))) folded.set(foldCase(name), name);
  }
  const embedded = embeddedFields[type] ?? [];
  const isAllBut = embedded[0] === '*';
  return {
    types,
    named: (key) => (types.has(key) ? key : folded.get(foldCase(key))),
    isEmbedded: (field) => embedded.includes(field) !== isAllBut,
  };
}

function nameAndType(field: string): readonly [string, string] {
  const colon = field.lastIndexOf(':');
  return [field.slice(0, colon), field.slice(colon + 1)];
}

/** Folds case as Go does for keys: the long s and the Kelvin sign fold to ordinary letters. */
function foldCase(text: string): string {
  return text.replaceAll('\u017f', 's').replaceAll('\u212a', 'k').toLowerCase();
}

/**
 * The fields of what OLM's tools decode in a bundle. Each line is a type with its fields and their types; `[]` is a
 * list, `{}` a map. Types that are not here are types of Kubernetes (packages/kube/builtin-fields.ts). `string?` distinguishes
 * the empty string from absence. `version` and `release` are strings with that syntax. `schema-or-boolean`,
 * `schema-or-list` and `schema-or-names` are alternatives of JSON Schema.
 * Source: github.com/operator-framework/api/pkg/operators/v1alpha1 and pkg/manifests, v0.45;
 * k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1 and v1beta1 of Kubernetes 1.36
 */
const fieldTable: string = `
APIResourceReference kind:string name:string version:string
APIServiceDefinitions owned:[]APIServiceDescription required:[]APIServiceDescription
APIServiceDescription actionDescriptors:[]Descriptor containerPort:int32 deploymentName:string description:string displayName:string group:string kind:string name:string resources:[]APIResourceReference specDescriptors:[]Descriptor statusDescriptors:[]Descriptor version:string
Annotations operators.operatorframework.io.bundle.channel.default.v1:string operators.operatorframework.io.bundle.channels.v1:string operators.operatorframework.io.bundle.package.v1:string
AnnotationsFile annotations:Annotations
AppLink name:string url:string
CRDDescription actionDescriptors:[]Descriptor description:string displayName:string kind:string name:string resources:[]APIResourceReference specDescriptors:[]Descriptor statusDescriptors:[]Descriptor version:string
CleanupSpec enabled:boolean
CleanupStatus pendingDeletion:[]ResourceList
ClusterServiceVersion apiVersion:string kind:string metadata:ObjectMeta spec:ClusterServiceVersionSpec status:ClusterServiceVersionStatus
ClusterServiceVersionCondition lastTransitionTime:time lastUpdateTime:time message:string phase:string reason:string
ClusterServiceVersionSpec annotations:{}string apiservicedefinitions:APIServiceDefinitions cleanup:CleanupSpec customresourcedefinitions:CustomResourceDefinitions description:string displayName:string icon:[]Icon install:NamedInstallStrategy installModes:[]InstallMode keywords:[]string labels:{}string links:[]AppLink maintainers:[]Maintainer maturity:string minKubeVersion:string nativeAPIs:[]GroupVersionKind provider:AppLink relatedImages:[]RelatedImage release:release replaces:string selector:LabelSelector skips:[]string version:version webhookdefinitions:[]WebhookDescription
ClusterServiceVersionStatus certsLastUpdated:time certsRotateAt:time cleanup:CleanupStatus conditions:[]ClusterServiceVersionCondition lastTransitionTime:time lastUpdateTime:time message:string phase:string reason:string requirementStatus:[]RequirementStatus
Column description:string format:string jsonPath:string name:string priority:int32 type:string
ColumnV1beta1 JSONPath:string description:string format:string name:string priority:int32 type:string
ConversionV1 strategy:string webhook:WebhookConversion
ConversionV1beta1 conversionReviewVersions:[]string strategy:string webhookClientConfig:WebhookClientConfig
CustomResourceDefinitions owned:[]CRDDescription required:[]CRDDescription
DefinitionCondition lastTransitionTime:time message:string observedGeneration:int64 reason:string status:string type:string
DefinitionNames categories:[]string kind:string listKind:string plural:string shortNames:[]string singular:string
DefinitionSpecV1 conversion:ConversionV1 group:string names:DefinitionNames preserveUnknownFields:boolean scope:string versions:[]DefinitionVersionV1
DefinitionSpecV1beta1 additionalPrinterColumns:[]ColumnV1beta1 conversion:ConversionV1beta1 group:string names:DefinitionNames preserveUnknownFields:boolean scope:string selectableFields:[]SelectableField subresources:Subresources validation:Validation version:string versions:[]DefinitionVersionV1beta1
DefinitionStatus acceptedNames:DefinitionNames conditions:[]DefinitionCondition observedGeneration:int64 storedVersions:[]string
DefinitionV1 apiVersion:string kind:string metadata:ObjectMeta spec:DefinitionSpecV1 status:DefinitionStatus
DefinitionV1beta1 apiVersion:string kind:string metadata:ObjectMeta spec:DefinitionSpecV1beta1 status:DefinitionStatus
DefinitionVersionV1 additionalPrinterColumns:[]Column deprecated:boolean deprecationWarning:string? name:string schema:Validation selectableFields:[]SelectableField served:boolean storage:boolean subresources:Subresources
DefinitionVersionV1beta1 additionalPrinterColumns:[]ColumnV1beta1 deprecated:boolean deprecationWarning:string? name:string schema:Validation selectableFields:[]SelectableField served:boolean storage:boolean subresources:Subresources
DependentStatus group:string kind:string message:string status:string uuid:string version:string
Descriptor description:string displayName:string path:string value:any x-descriptors:[]string
ExternalDocumentation description:string url:string
GroupVersionKind group:string kind:string version:string
Icon base64data:string mediatype:string
InstallMode supported:boolean type:string
JSONSchemaProps $ref:string? $schema:string additionalItems:schema-or-boolean additionalProperties:schema-or-boolean allOf:[]JSONSchemaProps anyOf:[]JSONSchemaProps default:any definitions:{}JSONSchemaProps dependencies:{}schema-or-names description:string enum:[]any example:any exclusiveMaximum:boolean exclusiveMinimum:boolean externalDocs:ExternalDocumentation format:string id:string items:schema-or-list maxItems:int64 maxLength:int64 maxProperties:int64 maximum:number minItems:int64 minLength:int64 minProperties:int64 minimum:number multipleOf:number not:JSONSchemaProps nullable:boolean oneOf:[]JSONSchemaProps pattern:string patternProperties:{}JSONSchemaProps properties:{}JSONSchemaProps required:[]string title:string type:string uniqueItems:boolean x-kubernetes-embedded-resource:boolean x-kubernetes-int-or-string:boolean x-kubernetes-list-map-keys:[]string x-kubernetes-list-type:string? x-kubernetes-map-type:string? x-kubernetes-preserve-unknown-fields:boolean x-kubernetes-validations:[]ValidationRule
Maintainer email:string name:string
NamedInstallStrategy spec:StrategyDetailsDeployment strategy:string
RelatedImage image:string name:string
RequirementStatus dependents:[]DependentStatus group:string kind:string message:string name:string status:string uuid:string version:string
ResourceInstance name:string namespace:string
ResourceList group:string instances:[]ResourceInstance kind:string
RuleWithOperations apiGroups:[]string apiVersions:[]string operations:[]string resources:[]string scope:string
ScaleSubresource labelSelectorPath:string? specReplicasPath:string statusReplicasPath:string
SelectableField jsonPath:string
ServiceReference name:string namespace:string path:string? port:int32
StatusSubresource
StrategyDeploymentPermissions rules:[]PolicyRule serviceAccountName:string
StrategyDeploymentSpec label:{}string name:string spec:DeploymentSpec
StrategyDetailsDeployment clusterPermissions:[]StrategyDeploymentPermissions deployments:[]StrategyDeploymentSpec permissions:[]StrategyDeploymentPermissions
Subresources scale:ScaleSubresource status:StatusSubresource
Validation openAPIV3Schema:JSONSchemaProps
ValidationRule fieldPath:string message:string messageExpression:string optionalOldSelf:boolean reason:string rule:string
WebhookClientConfig caBundle:bytes service:ServiceReference url:string?
WebhookConversion clientConfig:WebhookClientConfig conversionReviewVersions:[]string
WebhookDescription admissionReviewVersions:[]string containerPort:int32 conversionCRDs:[]string deploymentName:string failurePolicy:string? generateName:string matchPolicy:string? objectSelector:LabelSelector reinvocationPolicy:string? rules:[]RuleWithOperations sideEffects:string? targetPort:int-or-string timeoutSeconds:int32 type:string webhookPath:string?
`;

/**
 * The fields of Go's embedded structs, whose numbers and booleans do not become strings. `*` is every field except the
 * names that follow it.
 */
const embeddedFields: Readonly<Record<string, readonly string[]>> = {
  ClusterServiceVersion: ['apiVersion', 'kind'],
  ConfigMapEnvSource: ['name'],
  ConfigMapKeySelector: ['name'],
  ConfigMapProjection: ['name'],
  ConfigMapVolumeSource: ['name'],
  DefinitionV1: ['apiVersion', 'kind'],
  DefinitionV1beta1: ['apiVersion', 'kind'],
  Probe: ['exec', 'grpc', 'httpGet', 'tcpSocket'],
  RuleWithOperations: ['apiGroups', 'apiVersions', 'resources', 'scope'],
  SecretEnvSource: ['name'],
  SecretKeySelector: ['name'],
  SecretProjection: ['name'],
  Volume: ['*', 'name'],
};
