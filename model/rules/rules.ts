import type { Finding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import type { SettingLocation, RuleContext, TenantReporter } from './context.ts';
import type { TenantRuleId } from '../findings/tenant-rules.ts';
import {
  buildFinding,
  type NamespaceCheck,
  type RenderedNamespaceCheck,
  type RenderedTenantCheck,
  type TenantCheck,
} from './check.ts';
import { applications, argocdGroups, repositories, syncWindows } from './argocd.ts';
import { deployedKinds } from './argocd-kinds.ts';
import { access } from './grants.ts';
import { duplicates, placeholders } from './object-names.ts';
import { tenantKeys } from './keys.ts';
import { limits } from './limits.ts';
import { namespaceMetadata, podSecurity } from './namespace.ts';
import { network } from './network.ts';
import { podBounds } from './pod-bounds.ts';
import { podSecurityWorkloads } from './pod-security.ts';
import { placement } from './placement.ts';
import { quota, quotaRoom, tenantQuota } from './quota.ts';
import { resources, workload } from './workload.ts';
import { roles } from './roles.ts';
import { annotationSizes, namespaceSize, objectSizes, tenantSize } from './size.ts';
import { workloadBounds } from './workload-bounds.ts';

/** The checks of a tenant as a whole, in the order of their findings. */
const tenantChecks: readonly TenantCheck[] = [
  tenantKeys,
  tenantSize,
  placement,
  tenantQuota,
  repositories,
  deployedKinds,
  applications,
];

/** The checks of each namespace, in the order of their findings. */
const namespaceChecks: readonly NamespaceCheck[] = [
  placeholders,
  namespaceMetadata,
  podSecurity,
  quota,
  limits,
  podBounds,
  access,
  argocdGroups,
  roles,
  network,
  workload,
  resources,
  workloadBounds,
  podSecurityWorkloads,
  annotationSizes,
  duplicates,
  syncWindows,
];

/** The checks of all rendered objects of a tenant. */
const renderedTenantChecks: readonly RenderedTenantCheck[] = [objectSizes];

/** The checks of the rendered objects of each namespace. */
const renderedNamespaceChecks: readonly RenderedNamespaceCheck[] = [namespaceSize, quotaRoom];

/** Finds the place that sets a value of a namespace: for findings about a Tenant, or about its class. */
export interface SettingLocator {
  of(
    tenant: ResolvedTenant,
    namespace: ResolvedNamespace,
    setting: Path,
  ): Omit<SettingLocation, 'setting'>;
}

/** Whether a path ends at something around a setting, because the setting itself is not there. */
function endsAbove(path: Path, setting: Path): boolean {
  return setting.slice(0, -1).some((_, depth) => {
    const around = setting.slice(0, depth + 1);
    return around.every((part, i) => path[path.length - around.length + i] === part);
  });
}

/**
 * Returns the findings of a resolved tenant and of its rules. What an unknown preset would have set is not known, so it
 * is the only finding about the settings that are missing without it.
 */
export function findTenantFaults(
  tenant: ResolvedTenant,
  places: SettingLocator = tenantSettingLocator,
): Finding[] {
  const unknown = new Set(
    tenant.findings.filter(({ rule }) => rule === 'preset').map(({ path }) => path.at(-2)),
  );
  const isEffect = ({ path, about: { setting, isImplicit } = {} }: Finding): boolean =>
    setting !== undefined &&
    unknown.has(setting[0]) &&
    (isImplicit === true || endsAbove(path, setting));
  const ofRules = checkTenant(tenant, places).filter((one) => !isEffect(one));
  return [...tenant.findings, ...ofRules];
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
  for (const { check } of tenantChecks) check(tenant, report);
  for (const namespace of tenant.namespaces) {
    const context = buildContext(tenant, namespace, places);
    for (const { check } of namespaceChecks) check(context, report);
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
  const all = { tenant, objects: objects.flat() };
  for (const { check } of renderedTenantChecks) check(all, report);
  for (const [i, namespace] of tenant.namespaces.entries()) {
    const context = { ...buildContext(tenant, namespace, places), objects: objects[i]! };
    for (const { check } of renderedNamespaceChecks) check(context, report);
  }
  return findings;
}

function buildContext(
  tenant: ResolvedTenant,
  namespace: ResolvedNamespace,
  places: SettingLocator,
): RuleContext {
  const { klass } = namespace;
  const here = klass === tenant.klass ? tenant : { ...tenant, klass };
  return {
    tenant: here,
    namespace,
    where: (...setting) => ({ setting, ...places.of(tenant, namespace, setting) }),
  };
}

function createCollector(): {
  readonly findings: Finding[];
  readonly report: TenantReporter<TenantRuleId>;
} {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const report: TenantReporter<TenantRuleId> = (at, message, rule, options) => {
    const isPlace = 'setting' in at;
    const path = isPlace ? at.path : at;
    const key = `${path.join('\0')}\0${message}`;
    if (seen.has(key)) return;
    seen.add(key);
    const finding = buildFinding(path, message, rule, options);
    if (!isPlace) return void findings.push(finding);
    const origin = { setting: at.setting, isImplicit: at.by === 'elsewhere' };
    findings.push({ ...finding, about: { ...origin, ...finding.about } });
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
