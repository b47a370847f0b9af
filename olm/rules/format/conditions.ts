import { isMapping } from '../../../kube/mapping.ts';
import type { Path } from '../../../kube/problem.ts';
import { createConditionChecker, type ConditionChecker } from '../../../schema/cel.ts';
import type { BundleProperty } from '../../bundle/bundle.ts';
import type { BundleCheck, BundleRule } from '../rule.ts';

const constraintCel: BundleRule = {
  id: 'constraint-cel',
  severity: 'error',
  validators: ['format'],
  description:
    'the rule of a constraint `cel` is CEL that gives a bool, of `properties` and `semver_compare`: the functions that Kubernetes adds to CEL do not exist there',
};

let ask: ConditionChecker | undefined;

/**
 * Validates a condition on the properties of bundles. Returns a message; undefined if it is valid.
 *
 * Source: operator-framework/api, pkg/constraints/cel.go
 */
export function checkCondition(rule: string): string | undefined {
  ask ??= createConditionChecker({
    variables: { properties: 'list<map<string, dyn>>' },
    functions: ['semver_compare(dyn, dyn): int'],
  });
  return ask(rule);
}

/** The rules for conditions in constraints of dependencies and of properties, which are equivalent to OLM. */
export const conditions: BundleCheck = {
  rules: [constraintCel],
  check({ read: { dependencies, properties } }, say) {
    const constraints = [...dependencies, ...properties].filter(
      ({ type }) => type === 'olm.constraint',
    );
    for (const { value, document, path } of constraints) {
      for (const { rule, at } of conditionsOf(value, [...path, 'value'])) {
        const wrong = checkCondition(rule);
        if (wrong === undefined) continue;
        say(constraintCel, { file: document.file, document: document.index, path: at }, wrong);
      }
    }
  },
};

interface Condition {
  readonly rule: string;
  readonly at: Path;
}

function conditionsOf(constraint: BundleProperty['value'], at: Path): Condition[] {
  if (!isMapping(constraint)) return [];
  const { cel } = constraint;
  const rule = isMapping(cel) ? cel['rule'] : undefined;
  const own = typeof rule === 'string' && rule !== '' ? [{ rule, at: [...at, 'cel', 'rule'] }] : [];
  const inner = ['all', 'any', 'not'].flatMap((kind) => {
    const nested = constraint[kind];
    const list: unknown = isMapping(nested) ? nested['constraints'] : undefined;
    if (!Array.isArray(list)) return [];
    return list.flatMap((one: BundleProperty['value'], i) =>
      conditionsOf(one, [...at, kind, 'constraints', i]),
    );
  });
  return [...own, ...inner];
}
