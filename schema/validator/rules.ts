import { compileRules, type CompiledRule } from '../cel.ts';
import type { Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../jsonschema.ts';
import type { Doubts } from './doubt.ts';

/** What a rule of CEL has against a value, or why it does not say. */
export type Objection =
  { readonly message: string; readonly path: Path } | { readonly notChecked: string };

/** The rules of CEL of one schema. */
export interface NodeRules {
  /** Whether all of them hold for a new value. */
  accepts(self: unknown, doubts: Doubts): boolean;
  /**
   * All that is not ok. `old` is the value before, undefined where there is none; a value that did
   * not change is asked about changes alone.
   */
  objections(self: unknown, old: unknown, isUnchanged: boolean): Objection[];
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
        return 'ok' in verdict ? verdict.ok : doubts.add(unanswered(rule, verdict.notChecked));
      });
    },
    objections(self, old, isUnchanged) {
      return rules()
        .filter((rule) => !isUnchanged || rule.usesOldSelf)
        .flatMap((rule): Objection[] => {
          const verdict = rule.evaluate(self, old);
          if (!('ok' in verdict)) return [{ notChecked: unanswered(rule, verdict.notChecked) }];
          if (verdict.ok) return [];
          return [{ message: verdict.message, path: pathOf(rule.rule.fieldPath) }];
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
