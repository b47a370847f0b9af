/**
 * What `import ... from 'tenantry/schema'` gives: the language in which schemas are written, and what
 * one schema alone can be asked.
 */
export * from './schema/language.ts';
export { admitValue, applyDefaults, pruneValue, type Admission } from './schema/admission.ts';
export type { AdmitOptions } from './schema/admission.ts';
export { NoSample, sampleValue, type SampleOptions } from './schema/sample.ts';
export { compileSchema, type Validator, type Verdict } from './schema/validator.ts';
