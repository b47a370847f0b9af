/** The API server's validation of a definition, and of its update. */
export { KUBERNETES_MINOR, validateDefinition } from './validation/validate.ts';
export { validateDefinitionUpdate, type UpdateOptions } from './validation/update.ts';
export {
  checkBetaDefinitionFields,
  checkDefinitionFields,
  DEFINITION_FIELD_RULES,
  type DecodedBetaDefinition,
} from './validation/definition-field-rules.ts';
export type { DecodedDefinition } from './fields/decoded-definition.ts';
