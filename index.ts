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
  TenantOperatorBundle,
  type TenantOperatorBundleProps,
} from './constructs/operator/tenant-operator-bundle.ts';
export type { TenantClaim } from './model/name-claims.ts';
export type {
  Cluster,
  KnownDefinition,
  Platform,
  TenantClassDeclaration,
  TenantDeclaration,
} from './model/declaration.ts';
export type { ComparedResource } from './model/compared-kinds.ts';
export type { Delegation } from './model/delegation.ts';
export type { ClassVerdict } from './model/class-check.ts';
export { desired, type DesiredNamespace, type DesiredTenant } from './model/desired.ts';
export type { RequestableRole } from './model/layers/break-glass.ts';
export type { ClusterProject } from './model/objects/cluster-project.ts';
export { ClassRegistry, type AddOptions } from './model/class-registry.ts';
export { Fleet, type Replaced } from './model/fleet.ts';
export type { GrantedException } from './model/granted-exceptions.ts';
export {
  TenantAdoption,
  type TenantAdoptionProps,
} from './constructs/tenant/admission-policies.ts';
export { TenantGuard, type TenantGuardProps } from './constructs/tenant/admission-policies.ts';
export { hardenedClass } from './model/hardening/class.ts';
export {
  TenantAllowLists,
  TenantHardening,
  type TenantHardeningProps,
} from './constructs/tenant/admission-policies.ts';
export type { Concern } from './model/ownership.ts';
export { resolvePlatform } from './model/platform.ts';
export { getFleet, useFleet } from './constructs/tenant/scope.ts';
export { holdersOf, type Subject } from './constructs/tenant/subjects.ts';
export { Tenant, TenantNamespace, type TenantProps } from './constructs/tenant/tenant.ts';
export { TenantClass, type TenantClassProps } from './constructs/tenant/tenant-class.ts';
export { TenantPolicy, type TenantPolicyProps } from './constructs/tenant/admission-policies.ts';
export {
  TenantReservedKeys,
  type TenantReservedKeysProps,
} from './constructs/tenant/admission-policies.ts';
export type * from './crds/types.ts';
export type { Scope } from '@tenantry/kube/builtin-kinds';
export type { Finding } from '@tenantry/kube/finding';
export type { KubeObject } from '@tenantry/kube/object';
export {
  InvalidInput,
  type Exemption,
  type LackingFile,
  type Path,
  type Problem,
} from '@tenantry/kube/problem';
export { emitYaml, type EmitOptions } from '@tenantry/kube/yaml/write';
export { App } from './synth/app.ts';
export { findOutputPath, setOutputPath } from './synth/charts.ts';
export type { OutputFile, Sink, Source, Unit } from './synth/files.ts';
export { UnexpectedFilesInOutput } from './synth/output/errors.ts';
