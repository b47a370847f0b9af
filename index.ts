/** What `import ... from 'tenantry'` gives: apps, and tenants in them. */
export { declareFleet, PlatformObjects } from './apps/fleet.ts';
export type { FleetInput } from './apps/fleet-input.ts';
export {
  OperatorAccess,
  TenantOperator,
  OperatorMonitoringObjects,
  type OperatorAccessProps,
  type TenantOperatorProps,
  type OperatorMonitoringObjectsProps,
} from './constructs/operator/tenant-operator.ts';
export {
  Operator,
  type OperatorObject,
  type OperatorProps,
} from './constructs/operator/operator.ts';
export type { OperatorContainer } from './constructs/operator/parts/container.ts';
export type {
  OperatorDeployment,
  OperatorDeploymentSpec,
  OperatorPod,
} from './constructs/operator/parts/deployment.ts';
export type {
  Destination,
  NetworkClient,
  OperatorNetwork,
  OperatorKind,
  LeaderElectionKind,
  OperatorMetrics,
  OperatorProbes,
  OperatorSpec,
  WatchScope,
  AdmissionRule,
  IssuerName,
  OperatorAdmission,
  OperatorConversion,
  OperatorMutation,
  OperatorWebhooks,
} from './constructs/operator/parts/spec.ts';
export {
  objectsOf,
  operatorParts,
  type AccountParts,
  type OperatorParts,
  type WorkloadParts,
} from './constructs/operator/parts/parts.ts';
export type {
  EnvironmentSource,
  EnvironmentValue,
  KeyOfObject,
  AudienceToken,
  ComputeResource,
  ContainerResource,
  MountedFiles,
  OperatorPort,
  OperatorResources,
  OperatorSidecar,
  SidecarProbes,
} from './constructs/operator/parts/pod-spec.ts';
export type { OperatorRights } from './constructs/operator/parts/rights.ts';
export type {
  OperatorService,
  OperatorServiceSpec,
} from './constructs/operator/parts/workload-objects.ts';
export type { CdkPlus } from './constructs/operator/plus/module.ts';
export { Bundle } from './constructs/olm/bundle.ts';
export type { BundleText } from './constructs/olm/bundle/files.ts';
export type {
  InstalledOperator,
  BundleConstraint,
  BundleDependency,
  BundleProps,
  Capabilities,
  Category,
  CsvSpecFields,
  ShownKind,
} from './constructs/olm/bundle/props.ts';
export { Catalog, type CatalogProps } from './constructs/olm/catalog.ts';
export {
  BundleInstallation,
  type BundleInstallationProps,
  type ExtensionInstallationProps,
  type InstalledBundleProps,
  type SubscriptionInstallationProps,
} from './constructs/olm/installation.ts';
export {
  CatalogSource,
  ClusterCatalog,
  ClusterExtension,
  OperatorCondition,
  OperatorGroup,
  Subscription,
  type CatalogSourceProps,
  type ClusterCatalogProps,
  type ClusterExtensionProps,
  type OperatorConditionProps,
  type OperatorGroupProps,
  type SubscriptionProps,
} from './constructs/olm/objects.ts';
export {
  TenantOperatorBundle,
  type TenantOperatorBundleProps,
} from './constructs/olm/tenant-operator-bundle.ts';
export type { TenantClaim } from './constructs/tenant/name-claims.ts';
export type {
  Cluster,
  KnownDefinition,
  Platform,
  TenantClassDeclaration,
  TenantDeclaration,
} from './constructs/tenant/declaration.ts';
export type { ComparedResource } from './constructs/tenant/compared-kinds.ts';
export type { Delegation } from './constructs/tenant/delegation.ts';
export type { ClassVerdict } from './constructs/tenant/class-check.ts';
export { desired, type DesiredNamespace, type DesiredTenant } from './constructs/tenant/desired.ts';
export type { ClusterProject } from './constructs/tenant/objects/cluster-project.ts';
export { ClassRegistry, type AddOptions } from './constructs/tenant/class-registry.ts';
export { Fleet, type Replaced } from './constructs/tenant/fleet.ts';
export type { HeldException } from './constructs/tenant/held-exceptions.ts';
export {
  TenantAdoption,
  type TenantAdoptionProps,
} from './constructs/tenant/tree/admission-policies.ts';
export { TenantGuard, type TenantGuardProps } from './constructs/tenant/tree/admission-policies.ts';
export { hardenedClass } from './constructs/tenant/hardening/class.ts';
export {
  TenantHardening,
  type TenantHardeningProps,
} from './constructs/tenant/tree/admission-policies.ts';
export type { Concern } from './constructs/tenant/ownership.ts';
export { resolvePlatform } from './constructs/tenant/platform.ts';
export { fleetOf, useFleet } from './constructs/tenant/tree/scope.ts';
export { holdersOf, type Subject } from './constructs/tenant/tree/subjects.ts';
export { Tenant, TenantNamespace, type TenantProps } from './constructs/tenant/tree/tenant.ts';
export { TenantClass, type TenantClassProps } from './constructs/tenant/tree/tenant-class.ts';
export {
  TenantPolicy,
  type TenantPolicyProps,
} from './constructs/tenant/tree/admission-policies.ts';
export {
  TenantReservedKeys,
  type TenantReservedKeysProps,
} from './constructs/tenant/tree/admission-policies.ts';
export type * from './crds/tenantry/types.ts';
export type { Scope } from './kube/builtin-kinds.ts';
export type { Finding } from './kube/finding.ts';
export type { KubeObject } from './kube/object.ts';
export {
  InvalidInput,
  type Exemption,
  type LackingFile,
  type Path,
  type Problem,
} from './kube/problem.ts';
export { emitYaml, type EmitOptions } from './kube/yaml/write.ts';
export type * from './olm/api/types.ts';
export type { ClusterServiceVersion } from './olm/bundle/cluster-service-version.ts';
export type * from './olm/bundle/csv/types.ts';
export type {
  Catalog as CatalogContents,
  CatalogBundle,
  CatalogChannel,
  CatalogDeprecation,
  CatalogDeprecations,
  CatalogIcon,
  CatalogImage,
  CatalogOther,
  CatalogPackage,
  CatalogProperty,
  ChannelEntry,
} from './olm/catalog/catalog.ts';
export type { UpdateGraph } from './olm/catalog/render-catalog.ts';
export type { ExtensionInstall } from './olm/install/extension-objects.ts';
export type { SubscriptionInstall } from './olm/install/subscription-objects.ts';
export type { DescriptorChanges } from './olm/descriptors/descriptors.ts';
export type { Suite } from './olm/rules/validate-bundle.ts';
export { App } from './synth/app.ts';
export { outputPathOf, setOutputPath } from './synth/charts.ts';
export type { OutputFile, Sink, Source, Unit } from './synth/files.ts';
export { UnexpectedFilesInOutput } from './synth/output/errors.ts';
