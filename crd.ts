/** What `import ... from 'tenantry/crd'` gives: custom resources as code. */
export {
  CustomResourceDefinition,
  customResource,
  type CustomResourceDefinitionProps,
  type CustomResourceClass,
  type CustomResourceProps,
} from './constructs/crd.ts';
export { admitObject } from './crds/admit-object.ts';
export {
  compareDefinitions,
  type Change,
  type Compatibility,
  type CompareOptions,
} from './crds/compatibility.ts';
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
} from './crds/conversion.ts';
export type {
  CustomResourceConversion,
  CustomResourceDefinitionManifest,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  PrinterColumn,
  ScaleSubresource,
} from './crds/custom-resource-definition.ts';
export { checkDefinition, define } from './crds/define.ts';
export {
  crdManifest,
  definitionOf,
  versionsOf,
  type Definition,
  type DefinitionProps,
  type KindNames,
  type Schemas,
  type Version,
  type VersionProps,
} from './crds/definition.ts';
export { referencePage } from './crds/reference.ts';
export { sampleObject } from './crds/sample-object.ts';
export {
  KUBERNETES_MINOR,
  validateDefinition,
  validateDefinitionUpdate,
  type UpdateOptions,
} from './crds/validation.ts';
export type { Finding, Verdict } from './kube/finding.ts';
