import { createRequire } from 'node:module';
import type { JSONSchemaProps, ValidationRule } from './jsonschema.ts';
import type * as Rules from './cel/rule.ts';
import type { CompiledRule, CompileOptions } from './cel/rule.ts';

export { findField } from './cel/fieldpath.ts';
export { isTypedFormat } from './cel/typedformat.ts';
export { wordingErrors, type RuleError } from './cel/rulewording.ts';

let loaded: typeof Rules | undefined;

/**
 * What checks and runs CEL, loaded by the first rule, at once and once: most programs and most runs
 * of `tenantry` ask no rule, and it is fifty files.
 */
function engine(): typeof Rules {
  const file = import.meta.url.endsWith('.ts') ? './cel/rule.ts' : './cel/rule.js';
  return (loaded ??= createRequire(import.meta.url)(file) as typeof Rules);
}

/** `compileRule` of rule.ts. */
export function compileRule(
  rule: ValidationRule,
  schema: JSONSchemaProps,
  options?: CompileOptions,
): CompiledRule {
  return engine().compileRule(rule, schema, options);
}

/** `compileRules` of rule.ts. */
export function compileRules(
  schema: JSONSchemaProps,
  options?: CompileOptions,
): readonly CompiledRule[] {
  const isNeeded = (schema['x-kubernetes-validations'] ?? []).length > 0;
  return isNeeded ? engine().compileRules(schema, options) : [];
}
