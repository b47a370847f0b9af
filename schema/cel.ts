/** Rules in CEL: whether they are sound, and what they say of a value. */
export { findField } from './cel/fieldpath.ts';
export { compileRule, compileRules, type CompiledRule } from './cel/rule.ts';
export { wordingErrors } from './cel/rulewording.ts';
export { isTypedFormat } from './cel/typedformat.ts';
