/**
 * What `import ... from '@tenantry/olm'` gives: functions that read, validate and compare bundles and catalogs, and OLM's
 * kinds. It loads no cdk8s. Constructs are in `@tenantry/olm/constructs`.
 */
export { readBundle } from './folder/read-bundle.ts';
export {
  validateBundle,
  type BundleValidationOptions,
  type Suite,
} from './rules/validate-bundle.ts';
export type { RuleOptions } from './rules/rule.ts';
export { createFindingLocator } from './bundle/bundle.ts';
export type {
  Bundle as BundleContents,
  BundleAnnotations,
  BundleDocument,
  BundleFile,
  BundleFinding,
  BundleManifest,
  BundleProperty,
  ImageLabels,
} from './bundle/bundle.ts';

export type { ClusterServiceVersion } from './bundle/cluster-service-version.ts';
export type { Decoded } from './bundle/decoded.ts';

export { readCatalogFolder } from './catalog-folder/read-catalog-folder.ts';
export { checkCatalog } from './catalog/check-catalog.ts';
export type { CatalogFinding } from './catalog/catalog.ts';
export type { ReadCatalog } from './catalog/read-catalog.ts';
export type { Catalog as CatalogContents, CatalogBlob } from './catalog/catalog.ts';

export { catalogSource } from './api/catalog-source.ts';
export { clusterCatalog } from './api/cluster-catalog.ts';
export { clusterExtension } from './api/cluster-extension.ts';
export { clusterServiceVersionKind } from './api/cluster-service-version.ts';
export { installPlan } from './api/install-plan.ts';
export { operatorCondition } from './api/operator-condition.ts';
export { operatorGroup } from './api/operator-group.ts';
export { subscription } from './api/subscription.ts';
export type * from './api/types.ts';

export type { Finding } from '@tenantry/kube/finding';
export type { Path, Problem } from '@tenantry/kube/problem';
export type { Position } from '@tenantry/kube/yaml/read';
