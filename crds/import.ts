/** Definitions that others wrote, as TypeScript. */
export { importDefinitions, type Found, type Imported } from './import/definitions.ts';
