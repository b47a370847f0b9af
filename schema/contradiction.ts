/** Schemas for which no value can be valid. */
export { findContradiction, type Contradiction } from './validator/contradiction.ts';
