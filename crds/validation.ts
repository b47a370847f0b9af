/** What the API server says of a definition, and of a change of one. */
export { KUBERNETES_MINOR, validateDefinition } from './validation/validate.ts';
export { validateDefinitionUpdate, type UpdateOptions } from './validation/update.ts';
export {
  checkBetaDefinitionFields as checkBetaFrame,
  checkDefinitionFields as checkFrame,
  DEFINITION_FIELD_RULES as FRAME_RULES,
  type DecodedBetaDefinition,
} from './validation/frame.ts';
export type { DecodedDefinition } from './fields/decoded-definition.ts';
