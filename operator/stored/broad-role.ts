import { isMapping } from '../../kube/mapping.ts';
import type { KubeObject } from '../../kube/object.ts';

/**
 * Verbs that allow privilege escalation.
 * Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks
 */
const escalating: ReadonlySet<unknown> = new Set(['*', 'bind', 'escalate', 'impersonate']);

/** Whether a Role contains wildcards or rights that allow privilege escalation. */
export function isBroadRole({ rules }: KubeObject): boolean {
  if (!Array.isArray(rules)) return false;
  return rules.some(
    (rule: unknown) =>
      isMapping(rule) &&
      (has(rule['verbs'], (verb) => escalating.has(verb)) ||
        ['resources', 'apiGroups'].some((field) => has(rule[field], (one) => one === '*'))),
  );
}

function has(list: unknown, matches: (one: unknown) => boolean): boolean {
  return Array.isArray(list) && list.some(matches);
}
