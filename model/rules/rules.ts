import type { Finding } from '@tenantry/kube/finding';
import { errorAt, warningAt } from '../findings/tenant-finding.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import type { SettingLocation, TenantReporter, RuleContext } from './context.ts';
import {
  checkApplications,
  checkArgoCDGroups,
  checkDeployedKinds,
  checkRepositories,
  checkSyncWindows,
} from './argocd.ts';
import { checkAccess } from './grants.ts';
import { checkDuplicates, checkPlaceholders } from './object-names.ts';
import { checkKeys } from './keys.ts';
import { checkLimits } from './limits.ts';
import { checkNamespaceMetadata, checkPodSecurity } from './namespace.ts';
import { checkNetwork } from './network.ts';
import { checkPodBounds } from './pod-bounds.ts';
import { checkPlacement } from './placement.ts';
import { checkQuota, checkTenantQuota, checkQuotaRoom } from './quota.ts';
import { checkResources, checkWorkload } from './workload.ts';
import { checkRoles } from './roles.ts';
import {
  checkAnnotationSizes,
  checkNamespaceSize,
  checkObjectSizes,
  checkTenantSize,
} from './size.ts';
import { checkWorkloadBounds } from './workload-bounds.ts';

const namespaceRules: readonly ((context: RuleContext) => void)[] = [
  checkPlaceholders,
  checkNamespaceMetadata,
  checkPodSecurity,
  checkQuota,
  checkLimits,
  checkPodBounds,
  checkAccess,
  checkArgoCDGroups,
  checkRoles,
  checkNetwork,
  checkWorkload,
  checkResources,
  checkWorkloadBounds,
  checkAnnotationSizes,
  checkDuplicates,
  checkSyncWindows,
];

/** Finds the place that sets a value of a namespace: for findings about a Tenant, or about its class. */
export interface SettingLocator {
  of(
    tenant: ResolvedTenant,
    namespace: ResolvedNamespace,
    setting: Path,
  ): Omit<SettingLocation, 'setting'>;
}

/**
 * Applies the rules that need the class and the platform besides the Tenant; the schema is validated before. Ceilings
 * are errors, never silent clamps. It returns all findings at once. One that occurs in several namespaces for the same
 * reason is reported once.
 */
export function checkTenant(
  tenant: ResolvedTenant,
  places: SettingLocator = tenantSettingLocator,
): Finding[] {
  const { findings, report } = createCollector();
  checkKeys(tenant.declaration, (...rest) => ['metadata', ...rest], {
    klass: tenant.klass,
    report,
  });
  checkTenantSize(tenant, report);
  checkPlacement(tenant, report);
  checkTenantQuota(tenant, report);
  checkRepositories(tenant, report);
  checkDeployedKinds(tenant, report);
  checkApplications(tenant, report);
  for (const namespace of tenant.namespaces) {
    const context = buildContext(tenant, namespace, report, places);
    for (const rule of namespaceRules) rule(context);
  }
  return findings;
}

/** Applies the rules about the rendered objects of a tenant without an error, namespace by namespace. */
export function checkObjects(
  tenant: ResolvedTenant,
  objects: readonly (readonly KubeObject[])[],
  places: SettingLocator = tenantSettingLocator,
): Finding[] {
  const { findings, report } = createCollector();
  checkObjectSizes(tenant, objects.flat(), report);
  tenant.namespaces.forEach((namespace, i) => {
    const context = buildContext(tenant, namespace, report, places);
    checkNamespaceSize(context, objects[i]![0]!);
    checkQuotaRoom(context, objects[i]!);
  });
  return findings;
}

function buildContext(
  tenant: ResolvedTenant,
  namespace: ResolvedNamespace,
  report: TenantReporter,
  places: SettingLocator,
): RuleContext {
  const { klass } = namespace;
  const here = klass === tenant.klass ? tenant : { ...tenant, klass };
  return {
    tenant: here,
    namespace,
    where: (...setting) => ({ setting, ...places.of(tenant, namespace, setting) }),
    report,
  };
}

function createCollector(): { readonly findings: Finding[]; readonly report: TenantReporter } {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const report: TenantReporter = (at, message, rule, { severity, aspect, unknownName } = {}) => {
    const isPlace = 'setting' in at;
    const path = isPlace ? at.path : at;
    const key = `${path.join('\0')}\0${message}`;
    if (seen.has(key)) return;
    seen.add(key);
    const about: Finding['about'] = {
      ...(isPlace && { setting: at.setting, isImplicit: at.by === 'elsewhere' }),
      ...(unknownName !== undefined && { unknownName }),
    };
    const finding = (severity === 'warning' ? warningAt : errorAt)(path, message, rule);
    findings.push({
      ...finding,
      ...(aspect === 'key' && { atKey: true }),
      ...(Object.keys(about).length > 0 && { about }),
    });
  };
  return { findings, report };
}

const tenantSettingLocator: SettingLocator = {
  of({ declaration: { spec } }, { path }, setting) {
    const index = path[2];
    const entry = typeof index === 'number' ? spec.namespaces?.[index] : undefined;
    for (let length = setting.length; length > 0; length -= 1) {
      const part = setting.slice(0, length);
      if (entry && hasPath(entry, part)) return { path: [...path, ...part], by: 'tenant' };
      if (hasPath(spec, part)) return { path: ['spec', ...part], by: 'tenant' };
    }
    return { path: ['spec', 'className'], by: 'elsewhere' };
  },
};

/** Whether a value exists at a path. */
export function hasPath(value: unknown, path: Path): boolean {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return false;
    at = (at as Record<string | number, unknown>)[part];
  }
  return true;
}
