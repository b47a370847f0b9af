import type { LabelSelector, Requirement } from './label-selector.ts';
import { isLabelValue, isQualifiedName } from './names.ts';
import { show } from './problem.ts';

const forms =
  /^(?:(?<not>!\s*)?(?<alone>[^\s!=()]+)|(?<key>[^\s!=()]+)\s*(?<sign>==?|!=)\s*(?<value>[^\s!=()]*)|(?<one>[^\s!=()]+)\s+(?<word>in|notin)\s*\((?<list>[^()]*)\))$/;

/**
 * Parses a selector as kubectl writes it: `app=shop, tier!=db, env in (dev,test), !retired`. An empty one selects
 * everything. It throws for an invalid condition; `>` and `<`, which no LabelSelector can contain, are invalid.
 */
export function parseLabelSelector(text: string): LabelSelector {
  if (text.trim() === '') return {};
  return { matchExpressions: splitConditions(text).map((one) => readRequirement(one.trim())) };
}

/** Splits at the commas outside of parentheses. */
function splitConditions(text: string): string[] {
  const conditions: string[] = [];
  let start = 0;
  let isInside = false;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '(') isInside = true;
    else if (text[i] === ')') isInside = false;
    else if (text[i] === ',' && !isInside) {
      conditions.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...conditions, text.slice(start)];
}

function readRequirement(text: string): Requirement {
  const { not, alone, key, sign, value, one, word, list } = forms.exec(text)?.groups ?? {};
  const label = alone ?? key ?? one ?? '';
  const values = value === undefined ? list?.split(',').map((item) => item.trim()) : [value];
  if (!isQualifiedName(label) || values?.every(isLabelValue) === false) {
    throw new Error(
      `a label selector must be conditions such as 'app=shop', 'env in (dev,test)' or '!retired', with ',' between them, got ${show(text)}`,
    );
  }
  if (values === undefined) return { key: label, operator: not ? 'DoesNotExist' : 'Exists' };
  return { key: label, operator: sign === '!=' || word === 'notin' ? 'NotIn' : 'In', values };
}
