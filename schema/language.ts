/** The schema language. */
export * from './language/builders.ts';
export * from './language/kubernetes.ts';
export {
  annotations,
  annotationValue,
  dnsLabel,
  labels,
  labelValue,
  objectName,
  rbacName,
} from './language/metadata.ts';
export type {
  IntOrStringOptions,
  ListOptions,
  MapOptions,
  NumberOptions,
  ObjectOptions,
  Options,
  StringOptions,
} from './language/options.ts';
export type {
  FieldInputs,
  Fields,
  FieldTypes,
  MandatoryFields,
  PresentFields,
} from './language/static.ts';
export type { JSONSchemaProps, ValidationRule } from './json-schema.ts';
export type { Words } from './words.ts';
