/** CEL rules: x-kubernetes-validations. */
import type { JSONSchemaProps, ValidationRule } from '../../schema/jsonschema.ts';
import { canonical, same } from '../../kube/equality.ts';
import { told } from './change.ts';
import type { Place } from './comparedplace.ts';

/** What decides whether a value passes. */
function question({ rule, optionalOldSelf = false }: ValidationRule): string {
  return canonical([rule.trim(), optionalOldSelf]);
}

/** What a refused value is told, by which a rule is known again when its text has changed. */
function answer({ message, fieldPath }: ValidationRule): string {
  return canonical([message ?? '', fieldPath ?? '']);
}

export function compareRules(before: JSONSchemaProps, after: JSONSchemaProps, place: Place): void {
  const from = [...(before['x-kubernetes-validations'] ?? [])];
  const to = [...(after['x-kubernetes-validations'] ?? [])];
  if (same(from, to)) return;
  const kept = pairs(from, to, question);
  for (const [a, b] of kept) {
    if (same(a, b)) continue;
    const message = `the rule ${told(a.rule)} asks the same, and tells a refused value something else`;
    place.tell({ rule: 'cel-rule', verdict: 'compatible', message, before: a, after: b });
  }
  const changed = pairs(from, to, ({ rule }) => canonical(rule.trim()));
  changed.push(...pairs(from, to, (rule) => (rule.message ? answer(rule) : undefined)));
  for (const [a, b] of changed) {
    const isText = a.rule.trim() !== b.rule.trim();
    const message = isText
      ? `the rule ${told(a.rule)} became ${told(b.rule)}: whether it refuses more cannot be told`
      : `the rule ${told(b.rule)} has optionalOldSelf ${b.optionalOldSelf ?? false} now: it is asked at other times`;
    place.tell({ rule: 'cel-rule', verdict: 'unknown', message, before: a, after: b });
  }
  for (const a of from) {
    const message = `the rule ${told(a.rule)} is gone: what it refused is accepted`;
    place.tell({ rule: 'cel-rule', verdict: 'compatible', message, before: a, widens: true });
  }
  for (const b of to) {
    const message = `must pass the new rule ${told(b.rule)}: what it refuses was accepted`;
    place.tell({ rule: 'cel-rule', verdict: 'breaking', message, after: b });
  }
  if (
    kept.length > 0 &&
    kept.every(([a, b]) => same(a, b)) &&
    changed.length + from.length + to.length === 0
  ) {
    const message = 'the same rules in another order';
    place.tell({ rule: 'cel-rule', verdict: 'compatible', message });
  }
}

/** Takes out of both lists the rules that have the same key, in pairs. */
function pairs(
  from: ValidationRule[],
  to: ValidationRule[],
  key: (rule: ValidationRule) => string | undefined,
): [ValidationRule, ValidationRule][] {
  const found: [ValidationRule, ValidationRule][] = [];
  for (const a of from.slice()) {
    const wanted = key(a);
    const i = wanted === undefined ? -1 : to.findIndex((b) => key(b) === wanted);
    if (i < 0) continue;
    found.push([a, to[i]!]);
    to.splice(i, 1);
    from.splice(from.indexOf(a), 1);
  }
  return found;
}
