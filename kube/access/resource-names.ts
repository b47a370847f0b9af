import { formatBrief, formatList } from '../problem.ts';
import { canHaveResourceNames, isVerb } from './rule.ts';

/** A rule of RBAC as written. */
interface WrittenRule {
  readonly resources?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/**
 * Explains which verbs of a rule its `resourceNames` make void: a request to create an object, or to delete or list
 * several, has no name in its path. Server-side apply and PUT have one, so they can create.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources, k8s.io/apiserver
 * pkg/endpoints/request/requestinfo.go and pkg/endpoints/handlers/patch.go
 */
export function explainIneffectiveVerbs(rule: WrittenRule): string[] {
  const { resources = [], verbs = [], resourceNames = [] } = rule;
  if (resourceNames.length === 0) return [];
  return verbs.flatMap((verb) => {
    const refused = resources.filter((one) => isVerb(verb) && !canHaveResourceNames(verb, one));
    if (refused.length === 0) return [];
    const writers = verbs.filter((one) => one === 'patch' || one === 'update');
    const isPartial = verb === 'create' && writers.length > 0;
    const but = isPartial
      ? `, other than by ${writers.map((one) => waysToCreate[one as 'patch']).join(' and ')}`
      : '';
    return [
      `must have no resourceNames to allow ${verb} on ${formatList(refused.map(formatBrief))}${but}: the request carries no name, got ${formatList(resourceNames.map(formatBrief))}`,
    ];
  });
}

const waysToCreate = { patch: 'server-side apply', update: 'PUT' } as const;

/**
 * Explains which verbs of a rule allow less than they seem to: a list or a watch has a name only if it selects
 * `metadata.name`.
 */
export function explainFieldSelectorVerbs(rule: WrittenRule): string[] {
  const { resources = [], verbs = [], resourceNames = [] } = rule;
  const collections = resources.filter((one) => !one.includes('/'));
  if (resourceNames.length === 0 || collections.length === 0) return [];
  const asked = verbs.filter((verb) => verb === 'list' || verb === 'watch');
  if (asked.length === 0) return [];
  return [
    `must have no resourceNames to allow ${asked.join(' and ')} on all ${formatList(collections.map(formatBrief))}: only requests with the field selector metadata.name are allowed, got ${formatList(resourceNames.map(formatBrief))}`,
  ];
}
