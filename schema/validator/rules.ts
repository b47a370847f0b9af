import { compileRules, type CompiledRule } from '../cel.ts';
import type { Finding } from '../../kube/finding.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import type { Undetermined } from './undetermined.ts';

/** The rules of CEL of one schema. */
export interface NodeRules {
  /** Whether all of them hold for a new value. */
  accepts(self: unknown, doubts: Undetermined): boolean;
  /**
   * What they say of a value, with paths within it. `old` is the value before, undefined where
   * there is none; a value that did not change is asked about changes alone.
   */
  findings(self: unknown, old: unknown, isUnchanged: boolean): RuleFinding[];
}

/** What a rule says. */
export interface RuleFinding {
  readonly finding: Finding;
  /** Whether the rule is about the change. */
  readonly usesOldSelf: boolean;
}

/** Undefined where there are none. The rules are compiled when the first value comes. */
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

/** With the rule that was not asked. */
function inFull({ rule }: CompiledRule, finding: Finding): Finding {
  if (finding.severity === 'error') return finding;
  return { ...finding, message: `the rule ${rule.rule} was not evaluated: ${finding.message}` };
}
