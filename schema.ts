/**
 * What `import ... from 'tenantry/schema'` gives: the language in which schemas are written, and what
 * one schema alone can be asked.
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
export { NoSample, sampleValue, type SampleOptions, type Unsampled } from './schema/sample.ts';
export {
  compileSchema,
  type Mismatch,
  type NotChecked,
  type Validator,
  type ValidatorOptions,
  type Verdict,
} from './schema/validator.ts';
export type { Json } from './kube/object.ts';
export type { Path } from './kube/problem.ts';
