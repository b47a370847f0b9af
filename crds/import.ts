/** Definitions that others wrote, as TypeScript. */
export {
  importDefinitions,
  type ImportFailure as Failure,
  type FoundDefinition as Found,
  type ImportResult as Imported,
} from './import/definitions.ts';
export { pascal } from './import/identifiers.ts';
export type { ImportedModule } from './import/module.ts';
