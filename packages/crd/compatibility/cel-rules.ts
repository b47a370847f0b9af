/** Compares CEL rules: x-kubernetes-validations. */
import type { JSONSchemaProps, ValidationRule } from '../schema/json-schema.ts';
import {
  findRefused,
  implies,
  overlap,
  readComparedPart,
  readCondition,
  type Condition,
} from '../schema/cel.ts';
import { formatCanonicalJson, isDeepEqual } from '@tenantry/kube/json';
import { formatValue } from './change.ts';
import type { ComparisonContext, SchemaComparison } from './comparison-context.ts';
import { describeFacts, describePart, findNeededField } from './rule-facts.ts';

const RULES = 'x-kubernetes-validations';

interface ParsedRule extends Condition {
  readonly rule: ValidationRule;
  readonly optionalOldSelf: boolean;
}

function parseRules(schema: JSONSchemaProps): ParsedRule[] {
  return (schema[RULES] ?? []).map((rule) => ({
    ...readCondition(rule.rule),
    rule,
    optionalOldSelf: rule.optionalOldSelf ?? false,
  }));
}

/** Formats the key of the condition that decides whether a value passes. */
const formatConditionKey = ({ key, optionalOldSelf }: ParsedRule): string =>
  formatCanonicalJson([key, optionalOldSelf]);

/** Formats the message of a refused value, which identifies a rule whose expression has changed. */
function formatMessageKey({ rule: { message, fieldPath } }: ParsedRule): string | undefined {
  return message ? formatCanonicalJson([message, fieldPath ?? '']) : undefined;
}

/**
 * Compares rules by their syntax trees. A rule that refuses less is compatible if that can be
 * shown. A rule that refuses more is breaking if a value shows it, or if no rule of OLD reads the
 * same part.
 */
export const compareRules: SchemaComparison = (before, after, place) => {
  const [old, now] = [parseRules(before), parseRules(after)];
  const [from, to] = [[...old], [...now]];
  if (isDeepEqual(before[RULES] ?? [], after[RULES] ?? [])) return;
  const kept = takePairs(from, to, formatConditionKey);
  for (const [{ rule: a }, { rule: b }] of kept) {
    if (isDeepEqual(a, b)) continue;
    const means =
      a.rule.trim() === b.rule.trim()
        ? 'has the same condition and another message'
        : `is written ${formatValue(b.rule)}, which means the same`;
    place.change('cel-rule', a, b).compatible(`the rule ${formatValue(a.rule)} ${means}`);
  }
  const timed = takePairs(from, to, ({ key }) => key);
  for (const [{ rule: a }, { rule: b }] of timed) {
    place
      .change('cel-rule', a, b)
      .unknown(
        `the rule ${formatValue(b.rule)} has optionalOldSelf ${b.optionalOldSelf ?? false} now, which changes when it is evaluated`,
      );
  }
  const comparison: RuleComparison = { old, now, before, after, place };
  for (const b of to) judgeNewRule(b, takeCounterpart(b, from), comparison);
  for (const { rule } of from) {
    const message = `the rule ${formatValue(rule.rule)} is gone: what it refused is accepted`;
    place.change('cel-rule', rule).widening(message);
  }
  const isSame = kept.length > 0 && kept.every(([a, b]) => isDeepEqual(a.rule, b.rule));
  if (isSame && timed.length + from.length + to.length === 0) {
    place.change('cel-rule').compatible('the same rules in another order');
  }
};

interface RuleComparison {
  readonly old: readonly ParsedRule[];
  readonly now: readonly ParsedRule[];
  readonly before: JSONSchemaProps;
  readonly after: JSONSchemaProps;
  readonly place: ComparisonContext;
}

/** Judges a rule that OLD does not have against all rules of OLD. */
function judgeNewRule(
  b: ParsedRule,
  a: ParsedRule | undefined,
  { old, now, before, after, place }: RuleComparison,
): void {
  const rules = collectClausesEvaluatedWith(old, b);
  const premises = [...rules, ...describeFacts(before, after, rules, b.clauses)];
  const unmet = b.clauses.filter((clause) => !implies(premises, clause));
  const change = place.change('cel-rule', a?.rule, b.rule);
  const text = formatValue(b.rule.rule);
  const became = a && `the rule ${formatValue(a.rule.rule)} became ${text}`;
  if (unmet.length === 0) {
    const subject = became ? `${became}, which` : `the new rule ${text}`;
    const message = `${subject} refuses nothing that was accepted`;
    const widens =
      a && !a.clauses.every((one) => implies(collectClausesEvaluatedWith(now, a), one));
    if (widens) change.widening(message);
    else change.compatible(message);
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
    const value = part?.isSize ? `a size of ${formatRuleValue(refused)}` : formatRuleValue(refused);
    const what = needed === undefined ? value : `a value without ${needed}`;
    const subject = became ?? `the new rule ${text} came`;
    return change.breaking(`${subject}: it refuses ${what}, which was accepted`);
  }
  const retained = new Set(now.flatMap(({ clauses }) => clauses.map(({ key }) => key)));
  const gone = everything.filter(({ key }) => !retained.has(key));
  // If the values of a part are known, a refused value would have been found.
  const isNew = unmet.some(
    (clause) => !readComparedPart(clause) && !gone.some((other) => overlap(other, clause)),
  );
  if (isNew) {
    return change.breaking(
      became
        ? `${became}, with a further condition that no rule had`
        : `must pass the new rule ${text}, which no rule had`,
    );
  }
  const others = gone.length > 0 ? ', and others are gone' : '';
  const subject = became ?? `the new rule ${text} came${others}`;
  change.unknown(`${subject}: it is unknown whether it refuses more`);
}

/**
 * Collects the clauses of rules that are evaluated whenever another rule is. Transition rules are
 * not among them, because they are skipped if there is no previous value.
 */
function collectClausesEvaluatedWith(
  rules: readonly ParsedRule[],
  other: ParsedRule,
): ParsedRule['clauses'] {
  return rules
    .filter(
      ({ usesOldSelf, optionalOldSelf }) =>
        !usesOldSelf || (other.usesOldSelf && optionalOldSelf === other.optionalOldSelf),
    )
    .flatMap(({ clauses }) => clauses);
}

/** Removes the rule that another one replaces from the list of removed rules. */
function takeCounterpart(b: ParsedRule, from: ParsedRule[]): ParsedRule | undefined {
  const isNear = (a: ParsedRule): boolean =>
    a.clauses.some((one) => b.clauses.some((other) => overlap(one, other)));
  const found =
    from.find(
      (a) => formatMessageKey(a) !== undefined && formatMessageKey(a) === formatMessageKey(b),
    ) ?? from.find(isNear);
  if (found) from.splice(from.indexOf(found), 1);
  return found;
}

const formatRuleValue = (value: unknown): string =>
  typeof value === 'bigint' ? String(value) : formatValue(value);

/** Removes the rules with equal keys from both lists, in pairs. */
function takePairs(
  from: ParsedRule[],
  to: ParsedRule[],
  key: (rule: ParsedRule) => string,
): [ParsedRule, ParsedRule][] {
  const found: [ParsedRule, ParsedRule][] = [];
  for (const a of from.slice()) {
    const i = to.findIndex((b) => key(b) === key(a));
    if (i < 0) continue;
    found.push([a, to[i]!]);
    to.splice(i, 1);
    from.splice(from.indexOf(a), 1);
  }
  return found;
}
