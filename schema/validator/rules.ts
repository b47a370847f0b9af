import { compileRules, type CompiledRule } from '../cel.ts';
import { errorAt, notCheckedAt, type Finding } from '../../kube/finding.ts';
import type { JSONSchemaProps } from '../jsonschema.ts';
import type { Doubts } from './doubt.ts';

const RULES = 'x-kubernetes-validations';

/** The rules of CEL of one schema. */
export interface NodeRules {
  /** Whether all of them hold for a new value. */
  accepts(self: unknown, doubts: Doubts): boolean;
  /**
   * What they say of a value, with paths within it. `old` is the value before, undefined where there is none; a value that did
   * not change is asked about changes alone.
   */
  findings(self: unknown, old: unknown, isUnchanged: boolean): Finding[];
}

/** Undefined where there are none. The rules are compiled when the first value comes. */
export function rulesOf(schema: JSONSchemaProps, root: boolean): NodeRules | undefined {
  if (!schema['x-kubernetes-validations']?.length) return undefined;
  let compiled: readonly CompiledRule[] | undefined;
  const rules = (): readonly CompiledRule[] => (compiled ??= compileRules(schema, { root }));
  return {
    accepts(self, doubts) {
      return rules().every((rule) => {
        const verdict = rule.evaluate(self);
        return 'ok' in verdict
          ? verdict.ok
          : doubts.add(RULES, unanswered(rule, verdict.notChecked));
      });
    },
    findings(self, old, isUnchanged) {
      return rules()
        .filter((rule) => !isUnchanged || rule.usesOldSelf)
        .flatMap((rule): Finding[] => {
          const verdict = rule.evaluate(self, old);
          if (!('ok' in verdict))
            return [notCheckedAt([], unanswered(rule, verdict.notChecked), RULES)];
          if (verdict.ok) return [];
          return [errorAt(pathOf(rule.rule.fieldPath), verdict.message, RULES)];
        });
    },
  };
}

function unanswered({ rule }: CompiledRule, reason: string): string {
  return `the rule ${rule.rule} was not asked: ${reason}`;
}

/** The fields of a path such as `.spec['a.b']`. */
function pathOf(fieldPath = ''): string[] {
  const parts = fieldPath.matchAll(/\.([^.[]+)|\['((?:[^'\\]|\\.)*)'\]/g);
  return [...parts].map(([, name, quoted = '']) => name ?? quoted.replaceAll(/\\(.)/g, '$1'));
}
