/** What `import ... from '@tenantry/olm/constructs'` gives: bundles, catalogs and OLM's objects as cdk8s constructs. */
export { Bundle } from './constructs/bundle.ts';
export type { BundleText } from './constructs/bundle/files.ts';
export type {
  InstalledOperator,
  BundleConstraint,
  BundleDependency,
  BundleProps,
  Capabilities,
  Category,
  CsvSpecFields,
  ShownKind,
} from './constructs/bundle/props.ts';
export { Catalog, type CatalogProps } from './constructs/catalog.ts';
export {
  BundleInstallation,
  type BundleInstallationProps,
  type ExtensionInstallationProps,
  type InstalledBundleProps,
  type SubscriptionInstallationProps,
} from './constructs/installation.ts';
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
} from './constructs/objects.ts';
export type * from './api/types.ts';
export type { ClusterServiceVersion } from './bundle/cluster-service-version.ts';
export type * from './bundle/csv/types.ts';
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
} from './catalog/catalog.ts';
export type { UpdateGraph } from './catalog/render-catalog.ts';
export type { ExtensionInstall } from './install-objects/extension-objects.ts';
export type { SubscriptionInstall } from './install-objects/subscription-objects.ts';
export type { DescriptorChanges } from './descriptors/descriptors.ts';
export type { Suite } from './rules/validate-bundle.ts';
export type { KubeObject } from '@tenantry/kube/object';
