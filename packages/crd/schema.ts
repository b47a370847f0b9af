/**
 * What `import ... from '@tenantry/crd/schema'` gives: the language in which schemas are written, and
 * the functions for a single schema.
 */
export * from './schema/language.ts';
export {
  admitValue,
  applyDefaults,
  pruneValue,
  type Admission,
  type AdmitOptions,
  type Pruned,
  type PruneOptions,
  type ResourceKind,
} from './schema/admission.ts';
export { NoSample, sampleValue, type SampleOptions } from './schema/sample.ts';
export { compileSchema, type Validator, type ValidatorOptions } from './schema/validator.ts';
export type { Finding, Verdict } from '@tenantry/kube/finding';
export type { Json } from '@tenantry/kube/object';
export type { Path } from '@tenantry/kube/problem';
