/** One condition of a selector. */
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

/** The label that the API server itself puts on every namespace; nobody can forge it. */
export const NAME_LABEL = 'kubernetes.io/metadata.name';

/** Whether labels match a selector, as Kubernetes matches them. */
export function matchesLabels(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return listRequirements(selector).every((requirement) => matchesRequirement(requirement, labels));
}

/** A selector as requirements alone. */
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

/** Whether labels meet one condition. A label that is not there has none of the values. */
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
 * Whether a label with this value brings a namespace nearer to being selected than it would be
 * without the label: that is what somebody who forges it wants.
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

/** The only names that a namespace can have which meets the conditions; undefined where any will do. */
export function findPossibleNames(wanted: readonly Requirement[]): readonly string[] | undefined {
  const [first, ...more] = wanted.filter(isNamed).map(({ values = [] }) => values);
  return first?.filter((name) => more.every((names) => names.includes(name)));
}

/** The conditions on a namespace besides those that name it. */
export function dropNameRequirements(wanted: readonly Requirement[]): Requirement[] {
  return wanted.filter((condition) => !isNamed(condition));
}
