/** Definitions that others wrote, as TypeScript. */
export {
  importDefinitions,
  type ImportFailure,
  type FoundDefinition,
  type ImportResult,
} from './import/definitions.ts';
export { pascal } from './import/identifiers-and-literals.ts';
export type { ImportedModule } from './import/module.ts';
