import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import type { KubeObject } from '@tenantry/kube/object';
import { isMapping } from '@tenantry/kube/mapping';

/** The most characters of JSON that are kept of an undeclared object. */
const MAX_BRIEF_LENGTH = 4_096;

/** The fields by which objects grant access or limit what pods may use. */
const fields = ['spec', 'rules', 'roleRef', 'subjects'] as const;

/** The content of an object, kept whole. */
export type Brief = Readonly<Partial<Record<(typeof fields)[number], unknown>>>;

/**
 * Returns what is kept of an object without a tenant's label, which is probably undeclared: its content, if that is
 * short. So it can be reported without a request to the API server.
 */
export function briefOf(object: KubeObject): { readonly brief?: Brief } {
  if (object.metadata.labels?.[TENANT_LABEL] !== undefined) return {};
  const present = fields.filter((field) => object[field] !== undefined);
  const brief = Object.fromEntries(present.map((field) => [field, object[field]]));
  return JSON.stringify(brief).length > MAX_BRIEF_LENGTH ? {} : { brief };
}

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
