/** Schemas that no value can be valid under. */
export { contradictionOf, type Contradiction } from './validator/contradiction.ts';
