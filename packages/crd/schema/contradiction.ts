/** Schemas for which no value can be valid. */
export { findContradiction } from './validator/contradiction.ts';
