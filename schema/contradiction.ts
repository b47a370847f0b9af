/** Schemas that no value can be valid under. */
export {
  findContradiction as contradictionOf,
  type Contradiction,
} from './validator/contradiction.ts';
