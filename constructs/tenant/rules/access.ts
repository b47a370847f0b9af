import { builtinResources } from '../../../crds/kinds.ts';
import { nearest, show, type Path } from '../../../crds/problem.ts';
import type { PolicyRule } from '../../../crds/tenantry/access.ts';
import { accessRoles, type Grant, type RoleDeclaration } from '../grants.ts';
import { defaultBindingName } from '../objects/access.ts';
import { matchesName } from '../platform.ts';
import type { RuleContext } from './context.ts';
import { policyGroups } from './resources.ts';

/** Who gets what: nobody of the system, no role that the class does not give, no way up. */
export function accessRules(context: RuleContext): void {
  const { settings } = context.namespace;
  for (const grant of settings.grants) {
    checkSubjects(context, grant);
    checkClusterRole(context, grant);
  }
  checkBindings(context);
  const rulesOf = new Map<string, string>();
  for (const role of settings.roles) {
    const rules = JSON.stringify(role.rules);
    if ((rulesOf.get(role.name) ?? rules) !== rules) {
      context.report(
        role.path,
        `must have the rules that role ${show(role.name)} has elsewhere in namespace ${context.namespace.name}, got others`,
        'role-conflict',
      );
    }
    rulesOf.set(role.name, rules);
    if (!role.preset)
      for (const [i, rule] of role.rules.entries()) checkRule(context, role, rule, i);
  }
}

function checkSubjects({ tenant, report }: RuleContext, grant: Grant): void {
  for (const field of ['users', 'groups'] as const) {
    for (const name of grant.holders[field] ?? []) {
      if (!name.startsWith('system:')) continue;
      const instead = name.startsWith('system:serviceaccount:')
        ? ': a service account is named in serviceAccounts'
        : ': these are identities of Kubernetes itself';
      report(
        [...grant.path, field],
        `must not begin with 'system:', got ${show(name)}${instead}`,
        'system-subject',
      );
    }
  }
  const allowed = tenant.klass.spec.allow?.serviceAccounts ?? [];
  for (const { name, namespace } of grant.holders.serviceAccounts ?? []) {
    if (!grant.byTenant || tenant.namespaces.some((own) => own.name === namespace)) continue;
    const allows = allowed.some(
      (entry) => entry.namespace === namespace && matchesName([entry.name ?? '*'], name),
    );
    if (!allows) {
      report(
        [...grant.path, 'serviceAccounts'],
        `must be a service account of the tenant's own namespaces, or one that class ${tenant.klass.name} allows, got ${show(`${namespace}/${name}`)}`,
        'foreign-service-account',
      );
    }
  }
}

function checkClusterRole({ tenant, report }: RuleContext, { role, path, byTenant }: Grant): void {
  if (role.kind !== 'ClusterRole') return;
  if (role.name === 'cluster-admin' || role.name.startsWith('system:')) {
    report(path, `must be a role for tenants, got ${show(role.name)}`, 'cluster-role');
    return;
  }
  const { spec, name: className } = tenant.klass;
  const allowed = [...Object.values(accessRoles(spec)), ...(spec.allow?.clusterRoles ?? [])];
  if (byTenant && !allowed.includes(role.name)) {
    report(
      path,
      `must be a ClusterRole that class ${className} allows (${allowed.join(', ')}), got ${show(role.name)}`,
      'cluster-role',
    );
  }
}

/** One name, one role: roleRef cannot change, and two bindings of a name would overwrite each other. */
function checkBindings({ namespace, report }: RuleContext): void {
  const roleOf = new Map<string, string>();
  for (const grant of namespace.settings.grants) {
    const name = grant.bindingName ?? defaultBindingName(grant.role);
    const role = `${grant.role.kind} ${grant.role.name}`;
    const other = roleOf.get(name) ?? role;
    if (other !== role) {
      report(
        grant.path,
        `must have a bindingName of its own, got ${show(name)}, which binds ${other} in namespace ${namespace.name}`,
        'binding-conflict',
      );
    }
    roleOf.set(name, other);
  }
}

const climbing = new Set(['bind', 'escalate', 'impersonate']);
const reading = new Set(['get', 'list', 'watch']);

/** What nobody writes from inside a tenant, by group. */
const platformResources: Readonly<Record<string, readonly string[]>> = {
  '': ['namespaces', 'resourcequotas', 'limitranges', 'nodes', 'persistentvolumes'],
  'admissionregistration.k8s.io': [
    'mutatingwebhookconfigurations',
    'validatingwebhookconfigurations',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
  ],
  'certificates.k8s.io': ['certificatesigningrequests'],
  'tenantry.dev': ['tenants', 'tenantclasses'],
  // Applications act with the rights of Argo CD.
  'argoproj.io': ['applications', 'applicationsets', 'appprojects'],
};

/**
 * The rules of a Role that a tenant writes itself. Argo CD applies them with rights that the API
 * server's own escalation check lets pass, so this is the only check there is.
 * Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#kubernetes-rbac-privilege-escalation-risks
 */
function checkRule(context: RuleContext, role: RoleDeclaration, rule: PolicyRule, i: number): void {
  const path: Path = [...role.path, 'rules', i];
  for (const verb of rule.verbs) {
    if (climbing.has(verb)) {
      context.report(
        [...path, 'verbs'],
        `must not hold ${verb}: it leads to rights beyond the role`,
        'escalation',
      );
    }
  }
  if (rule.verbs.some((verb) => !reading.has(verb))) {
    for (const group of rule.apiGroups) {
      for (const resource of rule.resources) {
        const plural = resource.split('/')[0]!;
        const outranking = policyGroups.has(group) && !mayDeclare(context, group);
        if (outranking || platformResources[group]?.includes(plural)) {
          context.report(
            [...path, 'resources'],
            `must not write ${resource}, which belong to the platform, got verbs ${rule.verbs.join(', ')}`,
            'escalation',
          );
        }
      }
    }
  }
  checkCeiling(context, rule, path);
  checkNames(context, rule, path);
}

/** Who may declare policies of another group may also write them: they can outrank the platform's. */
function mayDeclare({ tenant }: RuleContext, group: string): boolean {
  return (tenant.klass.spec.allow?.resources ?? []).some((entry) => entry.group === group);
}

function checkCeiling({ tenant, report }: RuleContext, rule: PolicyRule, path: Path): void {
  const ceiling = tenant.klass.spec.ceilings?.roles;
  if (!ceiling) return;
  const holds = (list: readonly string[], value: string) =>
    list.includes('*') || list.includes(value);
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        const covered = ceiling.some(
          (one) =>
            holds(one.apiGroups, group) && holds(one.resources, resource) && holds(one.verbs, verb),
        );
        if (!covered) {
          const what = group === '' ? resource : `${resource}.${group}`;
          report(
            path,
            `must be within the role ceiling of class ${tenant.klass.name}, got ${verb} on ${what}`,
            'ceiling-roles',
          );
        }
      }
    }
  }
}

/** A resource that no group of the rule has: RBAC accepts it, and it never allows anything. */
function checkNames({ report }: RuleContext, rule: PolicyRule, path: Path): void {
  const groups = rule.apiGroups.map(builtinResources);
  if (groups.includes(undefined)) return;
  for (const resource of rule.resources) {
    const plural = resource.split('/')[0]!;
    if (groups.some((plurals) => plurals!.has(plural))) continue;
    const meant = nearest(
      plural,
      groups.flatMap((plurals) => [...plurals!]),
    );
    report(
      [...path, 'resources'],
      `must be a resource of ${rule.apiGroups.map((group) => group || 'the core group').join(', ')} to allow anything, got ${show(resource)}${meant ? `; did you mean ${show(meant)}?` : ''}`,
      'unknown-resource',
      'warning',
    );
  }
}
