/** What `import ... from '@tenantry/crd'` gives: custom resources as code. It loads no cdk8s. */
export { admitObject } from './admit-object.ts';
export {
  compareDefinitions,
  type Change,
  type Compatibility,
  type CompareOptions,
} from './compatibility.ts';
export {
  ConversionError,
  convertObject,
  convertReview,
  conversions,
  KEPT_ANNOTATION,
  type ConversionReviewResponse,
  type Conversions,
  type Converted,
  type ObjectOf,
  type Spoke,
  type Spokes,
} from './conversion.ts';
export type {
  CustomResourceConversion,
  CustomResourceDefinitionManifest,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  PrinterColumn,
  ScaleSubresource,
} from './custom-resource-definition.ts';
export { checkDefinition, define } from './define.ts';
export {
  crdManifest,
  definitionOf,
  listVersions,
  type Definition,
  type DefinitionProps,
  type KindNames,
  type Schemas,
  type Version,
  type VersionProps,
} from './definition.ts';
export { referencePage } from './reference.ts';
export { sampleObject } from './sample-object.ts';
export {
  KUBERNETES_MINOR,
  validateDefinition,
  validateDefinitionUpdate,
  type UpdateOptions,
} from './validation.ts';
export type { Finding, Verdict } from '@tenantry/kube/finding';
