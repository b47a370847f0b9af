/** Schemas that no value can be valid under. */
export { findContradiction, type Contradiction } from './validator/contradiction.ts';
