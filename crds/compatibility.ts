/** The effects of a changed definition on clients and stored objects. */
export { compareDefinitions, type CompareOptions } from './compatibility/definitions.ts';
export {
  compareDefinitionSets,
  type DefinitionComparison,
} from './compatibility/definition-sets.ts';
export { changeRules, type Change, type Compatibility } from './compatibility/change.ts';
