/** The language in which schemas are written. */
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
  ListOptions,
  MapOptions,
  NumberOptions,
  ObjectOptions,
  Options,
  StringOptions,
} from './language/options.ts';
export type { FieldInputs, Fields, FieldTypes } from './language/static.ts';
