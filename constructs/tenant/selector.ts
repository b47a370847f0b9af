import type { LabelSelector } from '../../schema/language.ts';

type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

/** Whether labels match a selector, as Kubernetes matches them. */
export function matchesLabels(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return requirements(selector).every((requirement) => holds(requirement, labels));
}

/** A selector as requirements alone. */
export function requirements(selector: LabelSelector): Requirement[] {
  return [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
      key,
      operator: 'In' as const,
      values: [value],
    })),
    ...(selector.matchExpressions ?? []),
  ];
}

function holds(
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
 * Whether a label with this value brings a namespace nearer to being selected than it would be
 * without the label: that is what somebody who forges it wants.
 */
export function helpsToMatch(selector: LabelSelector, key: string, value: string): boolean {
  return requirements(selector).some(
    (requirement) =>
      requirement.key === key && holds(requirement, { [key]: value }) && !holds(requirement, {}),
  );
}
