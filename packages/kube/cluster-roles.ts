import { userFacingRoles } from './rbac/user-facing-roles.ts';

/** Kubernetes' ClusterRoles for people, the one that allows least first. */
export const levels = ['view', 'edit', 'admin'] as const;
export type Level = (typeof levels)[number];

/** Verbs that only show something, unless the resource is a connection. */
export const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const writeVerbs = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/**
 * The verbs of requests for objects. RBAC accepts any other word as a verb too, and some have a meaning: `bind`,
 * `impersonate`, `use`, `approve`, `sign`, `attest`.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/authorization/#determine-the-request-verb
 */
export const objectVerbs: ReadonlySet<string> = new Set([...readVerbs, ...writeVerbs]);

/** The rules that each role adds to those below it. */
const addedRules: readonly (readonly [level: Level, rule: UserFacingRule])[] = userFacingRoles
  .trim()
  .split('\n')
  .map((line) => {
    const [head, resources] = line.split(': ') as [string, string];
    const [level, name, word] = head.split(' ') as [Level, string, string];
    const verbs = word === 'read' ? [...readVerbs] : word === 'write' ? writeVerbs : [word];
    const apiGroups = [name === 'core' ? '' : name];
    return [level, { apiGroups, resources: resources.split(' '), verbs }];
  });

/** A rule of one of the roles, as a ClusterRole has it. */
export interface UserFacingRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns the rules of a role, without later additions (`aggregate-to-admin`). */
export function listRules(level: Level): readonly UserFacingRule[] {
  const most = levels.indexOf(level);
  return addedRules.flatMap(([own, rule]) => (levels.indexOf(own) <= most ? [rule] : []));
}

/** The least of the roles that allows something, by `group/resource verb`. */
const leastOf = new Map<string, number>();

for (const [level, { apiGroups, resources, verbs }] of addedRules) {
  for (const resource of resources) {
    for (const verb of verbs) {
      const what = `${apiGroups[0]}/${resource} ${verb}`;
      if (!leastOf.has(what)) leastOf.set(what, levels.indexOf(level));
    }
  }
}

/**
 * Whether one of Kubernetes' ClusterRoles for people allows a verb on a resource (`pods/log` for a subresource),
 * without later additions (`aggregate-to-admin`).
 */
export function allows(level: Level, group: string, resource: string, verb: string): boolean {
  const least = leastOf.get(`${group}/${resource} ${verb}`);
  return least !== undefined && least <= levels.indexOf(level);
}
