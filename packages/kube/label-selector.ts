import { isLabelValue, isQualifiedName } from './names.ts';
import { show, formatList } from './problem.ts';
import type * as meta from './api/meta.ts';
import type { Immutable } from './immutable.ts';

/** One requirement of a selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** `metav1.LabelSelector`: an empty one selects everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly Requirement[];
}

/** The label that the API server itself sets on every namespace; nobody can forge it. */
export const NAME_LABEL = 'kubernetes.io/metadata.name';

/** Whether labels match a selector, as Kubernetes matches them. */
export function matchesLabels(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return listRequirements(selector).every((requirement) => matchesRequirement(requirement, labels));
}

/** Converts a selector to requirements. */
export function listRequirements(selector: LabelSelector): Requirement[] {
  return [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
      key,
      operator: 'In' as const,
      values: [value],
    })),
    ...(selector.matchExpressions ?? []),
  ];
}

/** Whether labels meet a requirement. An absent label has none of the values. */
export function matchesRequirement(
  { key, operator, values = [] }: Requirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}

/**
 * Whether a label with this value makes a namespace more likely to be selected than without the label, which would be
 * the purpose of forging it.
 */
export function helpsToMatch(selector: LabelSelector, key: string, value: string): boolean {
  return listRequirements(selector).some(
    (requirement) =>
      requirement.key === key &&
      matchesRequirement(requirement, { [key]: value }) &&
      !matchesRequirement(requirement, {}),
  );
}

const isNamed = ({ key, operator }: Requirement): boolean =>
  key === NAME_LABEL && operator === 'In';

/** Finds the only names that a namespace which meets the requirements can have; undefined if any name is possible. */
export function findPossibleNames(wanted: readonly Requirement[]): readonly string[] | undefined {
  const [first, ...more] = wanted.filter(isNamed).map(({ values = [] }) => values);
  return first?.filter((name) => more.every((names) => names.includes(name)));
}

/** Returns the requirements for a namespace besides those for its name. */
export function dropNameRequirements(wanted: readonly Requirement[]): Requirement[] {
  return wanted.filter((condition) => !isNamed(condition));
}

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

/**
 * Lists problems with a selector beyond its schema, by Kubernetes' own rules.
 * Source: k8s.io/apimachinery pkg/apis/meta/v1/validation ValidateLabelSelector
 */
export function listSelectorFaults(selector: Immutable<meta.LabelSelector> | undefined): string[] {
  if (!selector) return [];
  const faults = Object.keys(selector.matchLabels ?? {})
    .filter((key) => !isQualifiedName(key))
    .map((key) => `must select by a label key such as 'example.com/name', got ${show(key)}`);
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (!isQualifiedName(key)) {
      faults.push(`must select by a label key such as 'example.com/name', got ${show(key)}`);
    }
    const lists = operator === 'In' || operator === 'NotIn';
    if (lists && values.length === 0) {
      faults.push(`must have values for ${operator} of ${show(key)}, got none`);
    }
    if (!lists && values.length > 0) {
      faults.push(`must have no values for ${operator} of ${show(key)}, got ${formatList(values)}`);
    }
  }
  return faults;
}
