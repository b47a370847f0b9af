/** What a change of definitions means to clients and to what is stored. */
export { compareDefinitions, type CompareOptions } from './compatibility/definitions.ts';
export {
  compareDefinitionSets,
  type DefinitionComparison,
} from './compatibility/definition-sets.ts';
export type { Change, Compatibility } from './compatibility/change.ts';
export { changeRules } from './compatibility/change-rules.ts';
