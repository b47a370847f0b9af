/**
 * What `import ... from 'tenantry/olm'` gives: bundles and catalogs of OLM that somebody has made, read, asked and
 * told where they are wrong, and OLM's kinds on clusters. It loads no cdk8s; what makes bundles is in `tenantry`.
 */
export { readBundle } from './olm/folder/read-bundle.ts';
export { validateBundle, type BundleQuestions, type Suite } from './olm/rules/validate-bundle.ts';
export type { RuleOptions } from './olm/rules/rule.ts';
export { placing } from './olm/bundle/bundle.ts';
export type {
  Bundle as BundleContents,
  BundleAnnotations,
  BundleDocument,
  BundleFile,
  BundleFinding,
  BundleManifest,
  BundleProperty,
  ImageLabels,
} from './olm/bundle/bundle.ts';

export type { ClusterServiceVersion } from './olm/bundle/cluster-service-version.ts';
export type { Decoded } from './olm/bundle/decoded.ts';

export { readCatalogFolder } from './olm/catalogfolder/read-catalog-folder.ts';
export { checkCatalog } from './olm/catalog/check-catalog.ts';
export type { CatalogFinding } from './olm/catalog/catalog.ts';
export type { ReadCatalog } from './olm/catalog/read-catalog.ts';
export type { Catalog as CatalogContents, CatalogBlob } from './olm/catalog/catalog.ts';

export { catalogSource } from './olm/api/catalog-source.ts';
export { clusterCatalog } from './olm/api/cluster-catalog.ts';
export { clusterExtension } from './olm/api/cluster-extension.ts';
export { clusterServiceVersionKind } from './olm/api/cluster-service-version.ts';
export { installPlan } from './olm/api/install-plan.ts';
export { operatorCondition } from './olm/api/operator-condition.ts';
export { operatorGroup } from './olm/api/operator-group.ts';
export { subscription } from './olm/api/subscription.ts';
export type * from './olm/api/types.ts';

export type { Finding } from './kube/finding.ts';
export type { Path, Problem } from './kube/problem.ts';
export type { Position } from './kube/yaml/read.ts';
