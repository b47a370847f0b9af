/** The effects of a changed definition on clients and stored objects. */
export { compareDefinitions, type CompareOptions } from './compatibility/definitions.ts';
export {
  compareDefinitionSets,
  type DefinitionComparison,
} from './compatibility/definition-sets.ts';
export type { Change, Compatibility } from './compatibility/change.ts';
export { changeRules } from './compatibility/change-rules.ts';
