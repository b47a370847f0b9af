import { errorAt, type Finding } from '../../../kube/finding.ts';
import { formatList, show, type Path } from '../../../kube/problem.ts';
import type { GroupKind } from '../../../crds/tenantry/tenant-argocd.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import type { Platform } from '../declaration.ts';
import { isRestrictedKind, isOrdinaryKind, formatKind, findScope } from '../deployed-kinds.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import type { TenantReporter } from './context.ts';

/**
 * Validates the kinds that Applications of tenants may contain: ordinary ones, and those that the class gives or
 * allows.
 */
export function checkDeployedKinds(
  { argocd, klass, platform }: ResolvedTenant,
  report: TenantReporter,
): void {
  const allowed = (klass.spec.allow?.namespaceResourceWhitelist ?? []).map(formatKind);
  const given = new Set(
    argocd.kinds.filter(({ byTenant }) => !byTenant).map(({ value }) => formatKind(value)),
  );
  for (const { value, byTenant, path } of argocd.kinds) {
    const text = formatKind(value);
    const fault = findKindFault(value, platform);
    if (fault !== undefined) {
      report(path, fault, 'argocd-kind');
    } else if (byTenant && !isOrdinaryKind(value) && !given.has(text) && !allowed.includes(text)) {
      const must = `must be a kind that class ${klass.name} allows in allow.namespaceResourceWhitelist (${formatList(allowed) || 'none'})`;
      report(path, `${must}, got ${show(text)}`, 'argocd-kind');
    }
  }
}

/** Validates the kinds that a class allows its tenants to name. */
export function validateAllowedKinds(spec: TenantClassSpec, platform: Platform): Finding[] {
  const lists: (readonly [Path, readonly GroupKind[] | undefined])[] = [
    [['spec', 'allow'], spec.allow?.namespaceResourceWhitelist],
    ...(spec.exceptions ?? []).map(
      ({ allow }, i) =>
        [['spec', 'exceptions', i, 'allow'], allow?.namespaceResourceWhitelist] as const,
    ),
  ];
  return lists.flatMap(([at, kinds = []]) =>
    kinds.flatMap((kind, i) => {
      const fault = findKindFault(kind, platform);
      const path = [...at, 'namespaceResourceWhitelist', i];
      return fault === undefined ? [] : [errorAt(path, fault, 'argocd-kind')];
    }),
  );
}

/** Finds the problem with a kind, whether class or tenant names it. */
function findKindFault(kind: GroupKind, platform: Platform): string | undefined {
  const got = show(formatKind(kind));
  if (findScope(kind, platform.kinds) === 'Cluster') {
    return `must be a kind that lies in namespaces, got ${got}`;
  }
  if (isRestrictedKind(kind) && platform.argocdImpersonation !== 'Enabled') {
    return `must be a kind that gives no rights, opens no network and bounds nobody, unless Argo CD syncs as an account of the tenant (argocd.impersonation of the platform), got ${got}`;
  }
  return undefined;
}
