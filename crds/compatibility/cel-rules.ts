/** CEL rules: x-kubernetes-validations. */
import type { JSONSchemaProps, ValidationRule } from '../../schema/json-schema.ts';
import {
  findRefused,
  implies,
  overlap,
  readComparedPart,
  readCondition,
  type Condition,
} from '../../schema/cel.ts';
import { canonical, same } from '../../kube/equality.ts';
import { told } from './change.ts';
import type { Place } from './compared-place.ts';
import { describeFacts, describePart, findNeededField } from './rule-facts.ts';

/** A rule of a schema, read. */
interface ReadRule extends Condition {
  readonly rule: ValidationRule;
  readonly optionalOldSelf: boolean;
}

function readRules(schema: JSONSchemaProps): ReadRule[] {
  return (schema['x-kubernetes-validations'] ?? []).map((rule) => ({
    ...readCondition(rule.rule),
    rule,
    optionalOldSelf: rule.optionalOldSelf ?? false,
  }));
}

/** What decides whether a value passes. */
const question = ({ key, optionalOldSelf }: ReadRule): string => canonical([key, optionalOldSelf]);

/** What a refused value is told, by which a rule is known again when its text has changed. */
function answer({ rule: { message, fieldPath } }: ReadRule): string | undefined {
  return message ? canonical([message, fieldPath ?? '']) : undefined;
}

/**
 * Compares rules by their syntax trees. A rule that refuses less is compatible where that can be
 * shown; one that refuses more is breaking where a value shows it, or where no rule of OLD looks at
 * the same part.
 */
export function compareRules(before: JSONSchemaProps, after: JSONSchemaProps, place: Place): void {
  const [old, now] = [readRules(before), readRules(after)];
  const [from, to] = [[...old], [...now]];
  if (same(before['x-kubernetes-validations'] ?? [], after['x-kubernetes-validations'] ?? []))
    return;
  const kept = pairs(from, to, question);
  for (const [{ rule: a }, { rule: b }] of kept) {
    if (same(a, b)) continue;
    const isText = a.rule.trim() !== b.rule.trim();
    const message = isText
      ? `the rule ${told(a.rule)} is written ${told(b.rule)}, which means the same`
      : `the rule ${told(a.rule)} asks the same, and tells a refused value something else`;
    place.tell({ rule: 'cel-rule', verdict: 'compatible', message, before: a, after: b });
  }
  const timed = pairs(from, to, ({ key }) => key);
  for (const [{ rule: a }, { rule: b }] of timed) {
    const message = `the rule ${told(b.rule)} has optionalOldSelf ${b.optionalOldSelf ?? false} now: it is asked at other times`;
    place.tell({ rule: 'cel-rule', verdict: 'unknown', message, before: a, after: b });
  }
  const comparison: Comparison = { old, now, before, after, place };
  for (const b of to) judgeNewRule(b, partnerOf(b, from), comparison);
  for (const { rule } of from) {
    const message = `the rule ${told(rule.rule)} is gone: what it refused is accepted`;
    place.tell({ rule: 'cel-rule', verdict: 'compatible', message, before: rule, widens: true });
  }
  if (
    kept.length > 0 &&
    kept.every(([a, b]) => same(a.rule, b.rule)) &&
    timed.length + from.length + to.length === 0
  ) {
    const message = 'the same rules in another order';
    place.tell({ rule: 'cel-rule', verdict: 'compatible', message });
  }
}

interface Comparison {
  readonly old: readonly ReadRule[];
  readonly now: readonly ReadRule[];
  readonly before: JSONSchemaProps;
  readonly after: JSONSchemaProps;
  readonly place: Place;
}

/** Judges a rule that OLD does not have, against all rules of OLD. */
function judgeNewRule(
  b: ReadRule,
  a: ReadRule | undefined,
  { old, now, before, after, place }: Comparison,
) {
  const { rule } = b;
  const rules = clausesAskedWith(old, b);
  const asked = [...rules, ...describeFacts(before, after, rules, b.clauses)];
  const unmet = b.clauses.filter((clause) => !implies(asked, clause));
  const sides = { ...(a && { before: a.rule }), after: rule };
  const became = a ? `the rule ${told(a.rule.rule)} became ${told(rule.rule)}` : undefined;
  if (unmet.length === 0) {
    const accepts = became
      ? `${became}, which refuses nothing that was accepted`
      : `the new rule ${told(rule.rule)} refuses nothing that was accepted`;
    const widens = a && !a.clauses.every((one) => implies(clausesAskedWith(now, a), one));
    const message = accepts;
    place.tell({
      rule: 'cel-rule',
      verdict: 'compatible',
      message,
      ...sides,
      ...(widens && { widens }),
    });
    return;
  }
  const everything = old.flatMap(({ clauses }) => clauses);
  for (const clause of unmet) {
    const part = readComparedPart(clause);
    const values = part && describePart(before, part);
    const refused = values && findRefused(everything, clause, values);
    const needed =
      refused === undefined ? findNeededField(before, after, everything, clause) : undefined;
    if (refused === undefined && needed === undefined) continue;
    const value = part?.isSize ? `a size of ${shown(refused)}` : shown(refused);
    const what = needed === undefined ? value : `a value without ${needed}`;
    const message = `${became ?? `the new rule ${told(rule.rule)} came`}: it refuses ${what}, which was accepted`;
    place.tell({ rule: 'cel-rule', verdict: 'breaking', message, ...sides });
    return;
  }
  const retained = new Set(now.flatMap(({ clauses }) => clauses.map(({ key }) => key)));
  const gone = everything.filter(({ key }) => !retained.has(key));
  // Of a part whose values are known, one that is refused would have been found.
  const isNew = unmet.some(
    (clause) => !readComparedPart(clause) && !gone.some((other) => overlap(other, clause)),
  );
  if (isNew) {
    const message = became
      ? `${became}, with a further condition that no rule had`
      : `must pass the new rule ${told(rule.rule)}, which no rule had`;
    place.tell({ rule: 'cel-rule', verdict: 'breaking', message, ...sides });
    return;
  }
  const others = gone.length > 0 ? ', and others are gone' : '';
  const subject = became ?? `the new rule ${told(rule.rule)} came${others}`;
  const message = `${subject}: whether it refuses more cannot be told`;
  place.tell({ rule: 'cel-rule', verdict: 'unknown', message, ...sides });
}

/**
 * The clauses of rules that are evaluated whenever another rule is. Transition rules are not where
 * there is no value before.
 */
function clausesAskedWith(rules: readonly ReadRule[], other: ReadRule): ReadRule['clauses'] {
  return rules
    .filter(
      ({ usesOldSelf, optionalOldSelf }) =>
        !usesOldSelf || (other.usesOldSelf && optionalOldSelf === other.optionalOldSelf),
    )
    .flatMap(({ clauses }) => clauses);
}

/** Takes the rule that another one stands in for out of those that are gone. */
function partnerOf(b: ReadRule, from: ReadRule[]): ReadRule | undefined {
  const isNear = (a: ReadRule): boolean =>
    a.clauses.some((one) => b.clauses.some((other) => overlap(one, other)));
  const found =
    from.find((a) => answer(a) !== undefined && answer(a) === answer(b)) ?? from.find(isNear);
  if (found) from.splice(from.indexOf(found), 1);
  return found;
}

const shown = (value: unknown): string => (typeof value === 'bigint' ? String(value) : told(value));

/** Takes out of both lists the rules that have the same key, in pairs. */
function pairs(
  from: ReadRule[],
  to: ReadRule[],
  key: (rule: ReadRule) => string,
): [ReadRule, ReadRule][] {
  const found: [ReadRule, ReadRule][] = [];
  for (const a of from.slice()) {
    const i = to.findIndex((b) => key(b) === key(a));
    if (i < 0) continue;
    found.push([a, to[i]!]);
    to.splice(i, 1);
    from.splice(from.indexOf(a), 1);
  }
  return found;
}
