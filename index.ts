/** What `import ... from 'tenantry'` gives. */
export { App } from './synth/app.ts';
export type { OutputFile, Sink, Source, Unit } from './synth/files.ts';
export { outputPathOf, setOutputPath } from './synth/charts.ts';
export { emitYaml } from './synth/yaml.ts';
export { declareFleet } from './apps/fleet.ts';
export { PlatformObjects } from './apps/platform.ts';
export { Tenant, TenantNamespace, type TenantProps } from './constructs/tenant/tenant.ts';
export { TenantClass, type TenantClassProps } from './constructs/tenant/tenantclass.ts';
export { holdersOf } from './constructs/tenant/subjects.ts';
export { TenantGuard, type TenantGuardProps } from './constructs/tenant/guard.ts';
export { OperatorAccess, type OperatorAccessProps } from './constructs/operator/access.ts';
export { CustomResourceDefinition } from './constructs/crd/crd.ts';
export { desired, type DesiredNamespace, type DesiredTenant } from './constructs/tenant/desired.ts';
export { Fleet, type TenantClaim } from './constructs/tenant/fleet.ts';
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
export { InvalidInput, type Problem } from './crds/problem.ts';
export type { KubeObject } from './crds/object.ts';
