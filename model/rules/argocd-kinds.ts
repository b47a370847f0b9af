import { formatList, show, type Path } from '@tenantry/kube/problem';
import type { GroupKind } from '../../crds/tenant-argocd.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import { findScope, formatKind, isOrdinaryKind, isRestrictedKind } from '../deployments.ts';
import type { Platform } from '../declaration.ts';
import type { TenantReporter } from './context.ts';
import { defineClassCheck, defineTenantCheck } from './check.ts';

/**
 * Validates the kinds that Applications of tenants may contain: ordinary ones, and those that the class gives or
 * allows.
 */
export const deployedKinds = defineTenantCheck(['argocd-kind'], checkDeployedKinds);

function checkDeployedKinds(
  { argocd, klass, platform }: ResolvedTenant,
  report: TenantReporter<'argocd-kind'>,
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
export const allowedKinds = defineClassCheck(['argocd-kind'], ({ klass, platform }, report) => {
  const { spec } = klass;
  const lists: (readonly [Path, readonly GroupKind[] | undefined])[] = [
    [['spec', 'allow'], spec.allow?.namespaceResourceWhitelist],
    ...(spec.exceptions ?? []).map(
      ({ allow }, i) =>
        [['spec', 'exceptions', i, 'allow'], allow?.namespaceResourceWhitelist] as const,
    ),
  ];
  for (const [at, kinds = []] of lists) {
    for (const [i, kind] of kinds.entries()) {
      const fault = findKindFault(kind, platform);
      const path = [...at, 'namespaceResourceWhitelist', i];
      if (fault !== undefined) report(path, fault, 'argocd-kind');
    }
  }
});

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
