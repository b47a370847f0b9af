import { errorAt, type Finding } from '../../../kube/finding.ts';
import { listed, show, type Path } from '../../../kube/problem.ts';
import type { GroupKind } from '../../../crds/tenantry/tenant-argocd.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import type { Platform } from '../declaration.ts';
import { boundsSomebody, isOrdinaryKind, kindText, scopeOfKind } from '../deployed-kinds.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import type { Report } from './context.ts';

/** What Applications of tenants may hold: what is ordinary, and what the class gives or allows. */
export function deployedKindRules(
  { argocd, klass, platform }: ResolvedTenant,
  report: Report,
): void {
  const allowed = (klass.spec.allow?.namespaceResourceWhitelist ?? []).map(kindText);
  const given = new Set(
    argocd.kinds.filter(({ byTenant }) => !byTenant).map(({ value }) => kindText(value)),
  );
  for (const { value, byTenant, path } of argocd.kinds) {
    const text = kindText(value);
    const fault = kindFault(value, platform);
    if (fault !== undefined) {
      report(path, fault, 'argocd-kind');
    } else if (byTenant && !isOrdinaryKind(value) && !given.has(text) && !allowed.includes(text)) {
      const must = `must be a kind that class ${klass.name} allows in allow.namespaceResourceWhitelist (${listed(allowed) || 'none'})`;
      report(path, `${must}, got ${show(text)}`, 'argocd-kind');
    }
  }
}

/** The same of what a class lets its tenants name. */
export function allowedKindFindings(spec: TenantClassSpec, platform: Platform): Finding[] {
  const lists: (readonly [Path, readonly GroupKind[] | undefined])[] = [
    [['spec', 'allow'], spec.allow?.namespaceResourceWhitelist],
    ...(spec.exceptions ?? []).map(
      ({ allow }, i) =>
        [['spec', 'exceptions', i, 'allow'], allow?.namespaceResourceWhitelist] as const,
    ),
  ];
  return lists.flatMap(([at, kinds = []]) =>
    kinds.flatMap((kind, i) => {
      const fault = kindFault(kind, platform);
      const path = [...at, 'namespaceResourceWhitelist', i];
      return fault === undefined ? [] : [errorAt(path, fault, 'argocd-kind')];
    }),
  );
}

/** Whoever says it. */
function kindFault(kind: GroupKind, platform: Platform): string | undefined {
  const got = show(kindText(kind));
  if (scopeOfKind(kind, platform.kinds) === 'Cluster') {
    return `must be a kind that lies in namespaces, got ${got}`;
  }
  if (boundsSomebody(kind) && platform.argocdImpersonation !== 'Enabled') {
    return `must be a kind that gives no rights, opens no network and bounds nobody, unless Argo CD syncs as an account of the tenant (argocd.impersonation of the platform), got ${got}`;
  }
  return undefined;
}
