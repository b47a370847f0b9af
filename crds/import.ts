/** Definitions that others wrote, as TypeScript. */
export {
  importDefinitions,
  type Failure,
  type Found,
  type Imported,
} from './import/definitions.ts';
export { pascal } from './import/identifiers.ts';
export type { ImportedModule } from './import/module.ts';
