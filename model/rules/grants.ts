import { isSafeForTerminal } from '@tenantry/kube/printable';
import { didYouMean, findNearest, formatList, show, showWhole } from '@tenantry/kube/problem';
import { listBindableRoles, allowsServiceAccount } from '../classes/allowances.ts';
import type { BreakGlassEntry } from '../layers/break-glass.ts';
import { resolveBindingName, type Grant } from '../layers/grants.ts';
import type { RuleContext, TenantReporter } from './context.ts';
import { defineNamespaceCheck } from './check.ts';

/** Validates access: no system subjects, and only ClusterRoles that the class allows. */
export const access = defineNamespaceCheck(
  [
    'subject-name',
    'system-subject',
    'foreign-service-account',
    'cluster-role',
    'binding-conflict',
    'break-glass-absent',
  ],
  (context, report) => {
    const { settings } = context.namespace;
    for (const entry of settings.breakGlass) checkBreakGlass(context, entry, report);
    for (const grant of settings.grants) {
      checkSubjects(context, grant, report);
      checkClusterRole(context, grant, report);
    }
    checkBindings(context, report);
  },
);

/** Validates an entry of `breakGlass` like a grant of its ClusterRole, and warns if nobody would make that grant. */
function checkBreakGlass(
  context: RuleContext,
  { clusterRole, users, groups, path }: BreakGlassEntry,
  report: TenantReporter<
    | 'subject-name'
    | 'system-subject'
    | 'foreign-service-account'
    | 'cluster-role'
    | 'break-glass-absent'
  >,
): void {
  const role = { kind: 'ClusterRole', name: clusterRole } as const;
  // The operator binds only what classes allow, so that applies to an entry of the class too.
  const grant = { role, holders: { users, groups }, byTenant: true, path };
  checkSubjects(context, grant, report);
  checkClusterRole(context, grant, report);
  const { driftPolicy } = context.namespace;
  if (driftPolicy === 'Heal') return;
  report(
    path,
    `has no effect under drift policy ${driftPolicy}, because only an operator that heals makes and ends such grants; set driftPolicy to Heal in the Tenant or its class, and operator.driftPolicy in the platform file`,
    'break-glass-absent',
  );
}

/** Matches quotes that a word processor writes, around or inside a name. A name may contain an apostrophe. */
const TYPOGRAPHIC_QUOTE = /[“”„‟«»]|^[‘’‚‛]|[‘’‚‛]$/;

/** Returns what is wrong with the name of a user or a group, if nobody can have it. */
export function findNameFault(name: string): string | undefined {
  if (!isSafeForTerminal(name)) {
    return `must be names with visible characters only, got ${show(name)}`;
  }
  if (!TYPOGRAPHIC_QUOTE.test(name)) return undefined;
  return `must be names without typographic quotes, got ${show(name)}; write ' or "`;
}

function checkSubjects(
  { tenant }: RuleContext,
  grant: Grant,
  report: TenantReporter<'subject-name' | 'system-subject' | 'foreign-service-account'>,
): void {
  for (const field of ['users', 'groups'] as const) {
    for (const name of grant.holders[field] ?? []) {
      const fault = findNameFault(name);
      if (fault !== undefined) report([...grant.path, field], fault, 'subject-name');
      if (!name.startsWith('system:')) continue;
      const instead = name.startsWith('system:serviceaccount:')
        ? ': a service account is named in serviceAccounts'
        : ': these are identities of Kubernetes itself';
      report(
        [...grant.path, field],
        `must not begin with 'system:', got ${showWhole(name)}${instead}`,
        'system-subject',
      );
    }
  }
  for (const { name, namespace } of grant.holders.serviceAccounts ?? []) {
    if (!grant.byTenant || tenant.namespaces.some((own) => own.name === namespace)) continue;
    if (!allowsServiceAccount(tenant.klass.spec, { name, namespace })) {
      const own = tenant.namespaces.map((one) => one.name);
      const hint = didYouMean(findNearest(namespace, own));
      report(
        [...grant.path, 'serviceAccounts'],
        `must be a service account of the tenant's own namespaces, or one that class ${tenant.klass.name} allows, got ${showWhole(`${namespace}/${name}`)}${hint}`,
        'foreign-service-account',
      );
    }
  }
}

function checkClusterRole(
  { tenant }: RuleContext,
  { role, path, byTenant }: Grant,
  report: TenantReporter<'cluster-role'>,
): void {
  if (role.kind !== 'ClusterRole') return;
  if (role.name === 'cluster-admin' || role.name.startsWith('system:')) {
    report(path, `must be a role for tenants, got ${show(role.name)}`, 'cluster-role');
    return;
  }
  const allowed = listBindableRoles(tenant.klass.spec);
  if (byTenant && !allowed.includes(role.name)) {
    report(
      path,
      `must be a ClusterRole that class ${tenant.klass.name} allows (${formatList(allowed)}), got ${show(role.name)}`,
      'cluster-role',
    );
  }
}

/** Validates that bindings of one name have one role: roleRef is immutable, and they would overwrite each other. */
function checkBindings(
  { namespace }: RuleContext,
  report: TenantReporter<'binding-conflict'>,
): void {
  const roleOf = new Map<string, string>();
  for (const grant of namespace.settings.grants) {
    const name = resolveBindingName(grant);
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
