/**
 * The schema language. A schema is the structural schema itself, as the API server accepts it (`JSONSchemaProps`), with
 * its static types attached. Data that the API server does not know is stored under symbols, which JSON and YAML leave
 * out: the fields that are required until their object is built, and texts for people.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export * from './language/containers.ts';
export * from './language/scalars.ts';
export * from './language/kubernetes.ts';
export { immutable } from './language/cel-rules.ts';
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
  Defaulted,
  FieldInputs,
  Fields,
  FieldTypes,
  Input,
  MandatoryFields,
  PresentFields,
  Required,
  Schema,
  Static,
} from './language/static.ts';
export type { JSONSchemaProps, ValidationRule } from './json-schema.ts';
export type { Words } from './words.ts';
