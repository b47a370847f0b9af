import { errorAt, warningAt, type Finding } from '../../../kube/finding.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Path } from '../../../kube/problem.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../layers/resolved.ts';
import type { Place, Report, RuleContext } from './context.ts';
import { applicationRules } from './applications.ts';
import { argocdGroupRules } from './argocd-groups.ts';
import { deployedKindRules } from './deployed-kinds.ts';
import { accessRules } from './grants.ts';
import { duplicateRules } from './duplicates.ts';
import { filledRules } from './filled.ts';
import { checkKeys } from './keys.ts';
import { limitsRules } from './limits.ts';
import { metadataRules } from './metadata.ts';
import { networkRules } from './network.ts';
import { podBoundRules } from './pod-bounds.ts';
import { placementRules } from './placement.ts';
import { podSecurityRules } from './pod-security.ts';
import { quotaRules, tenantQuotaRules } from './quota.ts';
import { repositoryRules } from './repositories.ts';
import { resourceRules } from './resources.ts';
import { roleRules } from './roles.ts';
import { roomRules } from './room.ts';
import {
  annotationSizeRules,
  namespaceSizeRules,
  objectSizeRules,
  tenantSizeRules,
} from './size.ts';
import { syncWindowRules } from './sync-windows.ts';
import { workloadBoundRules } from './workload-bounds.ts';
import { workloadRules } from './workload.ts';

const namespaceRules: readonly ((context: RuleContext) => void)[] = [
  filledRules,
  metadataRules,
  podSecurityRules,
  quotaRules,
  limitsRules,
  podBoundRules,
  accessRules,
  argocdGroupRules,
  roleRules,
  networkRules,
  workloadRules,
  resourceRules,
  workloadBoundRules,
  annotationSizeRules,
  duplicateRules,
  syncWindowRules,
];

/** Where the settings of a namespace are said: for findings about a Tenant, or about its class. */
export interface Places {
  of(tenant: ResolvedTenant, namespace: ResolvedNamespace, setting: Path): Omit<Place, 'setting'>;
}

/**
 * The rules that need the class and the platform besides the Tenant (the schema's own rules were
 * asked before). Ceilings are errors, never silent clamps. All findings at once; one that holds in
 * several namespaces for the same reason is said once.
 */
export function checkTenant(tenant: ResolvedTenant, places: Places = inTenant): Finding[] {
  const { findings, report } = collect();
  checkKeys(tenant.declaration, (...rest) => ['metadata', ...rest], {
    klass: tenant.klass,
    report,
  });
  tenantSizeRules(tenant, report);
  placementRules(tenant, report);
  tenantQuotaRules(tenant, report);
  repositoryRules(tenant, report);
  deployedKindRules(tenant, report);
  applicationRules(tenant, report);
  for (const namespace of tenant.namespaces) {
    const context = contextOf(tenant, namespace, report, places);
    for (const rule of namespaceRules) rule(context);
  }
  return findings;
}

/** The rules that are about the objects which a tenant without an error gives, namespace by namespace. */
export function checkObjects(
  tenant: ResolvedTenant,
  objects: readonly (readonly KubeObject[])[],
  places: Places = inTenant,
): Finding[] {
  const { findings, report } = collect();
  objectSizeRules(tenant, objects.flat(), report);
  tenant.namespaces.forEach((namespace, i) => {
    const context = contextOf(tenant, namespace, report, places);
    namespaceSizeRules(context, objects[i]![0]!);
    roomRules(context, objects[i]!);
  });
  return findings;
}

function contextOf(
  tenant: ResolvedTenant,
  namespace: ResolvedNamespace,
  report: Report,
  places: Places,
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

function collect(): { readonly findings: Finding[]; readonly report: Report } {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const report: Report = (at, message, rule, { severity, aspect, unknownName } = {}) => {
    const isPlace = 'setting' in at;
    const path = isPlace ? at.path : at;
    const key = `${path.join('\0')}\0${message}`;
    if (seen.has(key)) return;
    seen.add(key);
    const about: Finding['about'] = {
      ...(isPlace && { setting: at.setting, isUnsaid: at.by === 'elsewhere' }),
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

const inTenant: Places = {
  of({ declaration: { spec } }, { path }, setting) {
    const index = path[2];
    const entry = typeof index === 'number' ? spec.namespaces?.[index] : undefined;
    for (let length = setting.length; length > 0; length -= 1) {
      const part = setting.slice(0, length);
      if (entry && has(entry, part)) return { path: [...path, ...part], by: 'tenant' };
      if (has(spec, part)) return { path: ['spec', ...part], by: 'tenant' };
    }
    return { path: ['spec', 'className'], by: 'elsewhere' };
  },
};

/** Whether there is something at a path. */
export function has(value: unknown, path: Path): boolean {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return false;
    at = (at as Record<string | number, unknown>)[part];
  }
  return true;
}
