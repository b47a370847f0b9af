import { compileRules, type CompiledRule } from '../cel.ts';
import type { Finding } from '@tenantry/kube/finding';
import type { JSONSchemaProps } from '../json-schema.ts';
import type { Undetermined } from './undetermined.ts';

/** The CEL rules of one schema. */
export interface NodeRules {
  /** Whether a new value satisfies all of them. */
  accepts(self: unknown, doubts: Undetermined): boolean;
  /**
   * Returns the findings about a value, with paths relative to it. `old` is the old value, undefined if there is none.
   * For an unchanged value only transition rules are evaluated.
   */
  findings(self: unknown, old: unknown, isUnchanged: boolean): RuleFinding[];
}

/** The finding of a rule. */
export interface RuleFinding {
  readonly finding: Finding;
  /** Whether the rule is a transition rule. */
  readonly usesOldSelf: boolean;
}

/** Compiles the rules of a schema when the first value is checked; undefined if there are none. */
export function compileNodeRules(schema: JSONSchemaProps, root: boolean): NodeRules | undefined {
  if (!schema['x-kubernetes-validations']?.length) return undefined;
  let compiled: readonly CompiledRule[] | undefined;
  const rules = (): readonly CompiledRule[] => (compiled ??= compileRules(schema, { root }));
  return {
    accepts(self, doubts) {
      return rules().every((rule) => {
        const finding = rule.evaluate(self);
        if (!finding) return true;
        const fullFinding = inFull(rule, finding);
        return (
          fullFinding.severity === 'not-checked' &&
          doubts.add(fullFinding.rule, fullFinding.message)
        );
      });
    },
    findings(self, old, isUnchanged) {
      return rules()
        .filter((rule) => !isUnchanged || rule.usesOldSelf)
        .flatMap((rule) => {
          const finding = rule.evaluate(self, old);
          return finding ? [{ finding: inFull(rule, finding), usesOldSelf: rule.usesOldSelf }] : [];
        });
    },
  };
}

/** Adds the text of the rule to a finding that the rule was not evaluated. */
function inFull({ rule }: CompiledRule, finding: Finding): Finding {
  if (finding.severity === 'error') return finding;
  return { ...finding, message: `the rule ${rule.rule} was not evaluated: ${finding.message}` };
}
