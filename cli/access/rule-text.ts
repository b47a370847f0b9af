import type { RightsRule } from '@tenantry/kube/rights/rights';
import { truncateList } from '../console-output.ts';

/** The number of resources of a rule that are named. */
const NAMED = 5;

/** Formats a rule of a role: `get, list pods, pods/log, services`, `get the path /metrics`. */
export function formatRule({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: RightsRule): string {
  const action = verbs.join(', ');
  if (nonResourceURLs.length > 0) return `${action} the path ${nonResourceURLs.join(', ')}`;
  const groups = apiGroups.filter((group) => group !== '');
  const of = groups.length === 0 ? '' : ` of ${groups.join(', ')}`;
  const names = resourceNames.length === 0 ? '' : ` named ${resourceNames.join(', ')}`;
  return `${action} ${truncateList(resources, NAMED).join(', ')}${of}${names}`;
}
