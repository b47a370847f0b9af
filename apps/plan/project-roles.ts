import { isMapping, listAt } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { texts } from '@tenantry/kube/rights/rights';
import { definePlanRules, type ReportChange } from './change.ts';
import { ARGO_GROUP, filterByKind, type ClusterChange } from './cluster-changes.ts';

const rules = definePlanRules('access', {
  powerful: [
    'project-role-powerful',
    'high',
    'a role of an AppProject allows actions that bypass Git or the rights in the cluster: create, change, delete or override Applications, or open a shell in pods',
  ],
  gained: [
    'project-role-gained',
    'medium',
    'a role of an AppProject lets somebody do more in Argo CD',
  ],
  lost: ['project-role-lost', 'low', 'a role of an AppProject lets somebody do less in Argo CD'],
});

export const projectRoleRules = Object.values(rules);

/** One line of a role: `p, proj:shop:viewers, applications, get, shop/*, allow`. */
interface Policy {
  /**
   * `get applications shop/*`. For the project of a tenant it leaves out the project name, since
   * the tenant identifies the project.
   */
  readonly what: string;
  readonly isPowerful: boolean;
  readonly isDenied: boolean;
}

/**
 * Reports which subjects gain or lose which actions by roles of AppProjects. A removed project
 * reports no losses.
 */
export function judgeProjectRoles({ pairs }: ClusterChange, report: ReportChange): void {
  for (const { where, before, after } of filterByKind(pairs, ARGO_GROUP, 'AppProject')) {
    if (!after) continue;
    const isTenants = where.tenant !== undefined;
    const [old, now] = [before, after].map((placed) => readPolicies(placed?.object, isTenants));
    for (const subject of new Set([...old!.keys(), ...now!.keys()])) {
      const [had, has] = [old, now].map((all) => all!.get(subject) ?? new Map<string, Policy>());
      const differing = [
        ...[...has!].filter(([line]) => !had!.has(line)).map(([, one]) => [one, true] as const),
        ...[...had!].filter(([line]) => !has!.has(line)).map(([, one]) => [one, false] as const),
      ];
      for (const [{ what, isPowerful, isDenied }, isNew] of differing) {
        const isMore = isNew !== isDenied;
        const rule = isMore ? (isPowerful ? rules.powerful : rules.gained) : rules.lost;
        const verb = isDenied
          ? `is ${isNew ? '' : 'no longer '}denied to`
          : `may${isNew ? '' : ' no longer'}`;
        const detail = { kind: 'grant', subject, rights: [], roles: [] } as const;
        report(rule, subject, `${verb} ${what} in Argo CD`, where, detail);
      }
    }
  }
}

type Policies = ReadonlyMap<string, ReadonlyMap<string, Policy>>;

/** Returns the policies by subject: a group, or for a role without groups its holders elsewhere. */
function readPolicies(project: KubeObject | undefined, isTenants: boolean): Policies {
  const found = new Map<string, Map<string, Policy>>();
  for (const role of listAt(project, ['spec', 'roles']).filter(isMapping)) {
    const groups = texts(role['groups']).map((group) => `Group ${unquoted(group)}`);
    const others = `holders of role ${String(role['name'])} of AppProject ${project?.metadata.name}`;
    for (const subject of groups.length > 0 ? groups : [others]) {
      const policies = found.get(subject) ?? new Map<string, Policy>();
      found.set(subject, policies);
      for (const text of texts(role['policies'])) {
        const { what, isPowerful, isDenied } = parsePolicy(text, isTenants);
        policies.set(`${isDenied} ${what}`, { what, isPowerful, isDenied });
      }
    }
  }
  return found;
}

function parsePolicy(text: string, isTenants: boolean): Policy {
  const parts = text.split(',').map((part) => part.trim());
  const [, , resource = '', action = '', object = '', effect] = parts;
  const isOne = action === 'sync' || /^action\/[^*?[{]*$/.test(action);
  return {
    what: [action, resource, ...(isTenants ? withoutProject(object) : [object])].join(' '),
    isPowerful: action !== 'get' && !(resource === 'applications' && isOne),
    isDenied: effect === 'deny',
  };
}

function withoutProject(object: string): string[] {
  const name = object.slice(object.indexOf('/') + 1);
  return name === '*' ? [] : [name];
}

const unquoted = (group: string): string => group.trim().replace(/^"(.*)"$/s, '$1');
