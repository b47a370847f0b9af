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
