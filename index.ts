/** What `import ... from 'tenantry'` gives. */
export { App } from './synth/app.ts';
export type { OutputFile, Sink, Source, Unit } from './synth/files.ts';
export { outputPathOf, setOutputPath } from './synth/charts.ts';
export { emitYaml } from './kube/yaml/write.ts';
export { declareFleet } from './apps/fleet.ts';
export { PlatformObjects } from './apps/platform.ts';
export { Tenant, TenantNamespace, type TenantProps } from './constructs/tenant/tenant.ts';
export { TenantClass, type TenantClassProps } from './constructs/tenant/tenantclass.ts';
export { holdersOf } from './constructs/tenant/subjects.ts';
export { TenantGuard, type TenantGuardProps } from './constructs/tenant/guard.ts';
export { TenantPolicy, type TenantPolicyProps } from './constructs/tenant/tenantpolicy.ts';
export {
  TenantHardening,
  type TenantHardeningProps,
} from './constructs/tenant/hardening/hardening.ts';
export { hardenedClass } from './constructs/tenant/hardening/class.ts';
export { OperatorAccess, type OperatorAccessProps } from './constructs/operator/operatoraccess.ts';
export {
  CustomResourceDefinition,
  type CustomResourceDefinitionProps,
} from './constructs/crd/crd.ts';
export {
  customResource,
  type CustomResourceClass,
  type CustomResourceProps,
} from './constructs/crd/resource.ts';
export { checkDefinition, define } from './crds/define.ts';
export {
  crdManifest,
  definitionOf,
  versionsOf,
  type Definition,
  type DefinitionProps,
  type Schemas,
  type Version,
  type VersionProps,
} from './crds/definition.ts';
export type { CustomResourceDefinitionManifest } from './crds/customresourcedefinition.ts';
export { sampleObject } from './crds/sampleobject.ts';
export { NoSample, sample, type SampleOptions } from './schema/sample.ts';
export { admitObject } from './crds/admitobject.ts';
export { admit, type Admission, type AdmitOptions } from './schema/admission.ts';
export { compile, type Validator, type Verdict } from './schema/validator.ts';
export { applyDefaults } from './schema/admission.ts';
export { prune } from './schema/admission.ts';
export { KUBERNETES_MINOR, validateDefinition, type DefinitionVerdict } from './crds/validation.ts';
export { validateDefinitionUpdate } from './crds/validation.ts';
export { compareDefinitions, type CompareOptions } from './crds/compatibility.ts';
export type { Change } from './crds/compatibility.ts';
export {
  conversions,
  type Conversions,
  type Converted,
  type ObjectOf,
  type Spoke,
} from './crds/conversion.ts';
export { convert, ConversionError } from './crds/conversion.ts';
export { convertReview } from './crds/conversion.ts';
export { KEPT_ANNOTATION } from './crds/conversion.ts';
export { referencePage } from './crds/reference.ts';
export { desired, type DesiredNamespace, type DesiredTenant } from './constructs/tenant/desired.ts';
export { Fleet, type Replaced } from './constructs/tenant/fleet.ts';
export type { TenantClaim } from './constructs/tenant/claim.ts';
export { fleetOf, useFleet } from './constructs/tenant/scope.ts';
export { resolvePlatform } from './constructs/tenant/platform.ts';
export type {
  Cluster,
  Finding,
  Platform,
  TenantClassDeclaration,
  TenantDeclaration,
} from './constructs/tenant/declaration.ts';
export type { PlatformSpec } from './crds/tenantry/platform.ts';
export type { TenantSpec } from './crds/tenantry/tenant.ts';
export type { TenantClassSpec } from './crds/tenantry/tenantclass.ts';
export { InvalidInput, type Problem } from './kube/problem.ts';
export type { KubeObject } from './kube/object.ts';
