import type { Path } from '../../../crds/problem.ts';
import type { Finding } from '../declaration.ts';
import type { ResolvedNamespace, ResolvedTenant } from '../resolved.ts';
import type { Report, RuleContext } from './context.ts';
import { accessRules } from './access.ts';
import { duplicateRules } from './duplicates.ts';
import { checkKeys } from './keys.ts';
import { limitsRules } from './limits.ts';
import { metadataRules } from './metadata.ts';
import { networkRules } from './network.ts';
import { placementRules } from './placement.ts';
import { podSecurityRules } from './podsecurity.ts';
import { quotaRules, tenantQuotaRules } from './quota.ts';
import { resourceRules } from './resources.ts';
import { workloadRules } from './workload.ts';

const namespaceRules: readonly ((context: RuleContext) => void)[] = [
  metadataRules,
  podSecurityRules,
  quotaRules,
  limitsRules,
  accessRules,
  networkRules,
  workloadRules,
  resourceRules,
  duplicateRules,
];

/**
 * The rules that need the class and the platform besides the Tenant (the schema's own rules were
 * asked before). Ceilings are errors, never silent clamps. All findings at once; one that holds in
 * several namespaces for the same reason is said once.
 */
export function checkTenant(tenant: ResolvedTenant): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const report: Report = (path, message, rule, severity) => {
    const key = `${path.join('\0')}\0${message}`;
    if (seen.has(key)) return;
    seen.add(key);
    findings.push({ path, message, rule, severity: severity ?? 'error' });
  };
  checkKeys(tenant.declaration, (...rest) => ['metadata', ...rest], report);
  placementRules(tenant, report);
  tenantQuotaRules(tenant, report);
  for (const namespace of tenant.namespaces) {
    const context: RuleContext = {
      tenant,
      namespace,
      where: (...setting) => locate(tenant, namespace, setting),
      report,
    };
    for (const rule of namespaceRules) rule(context);
  }
  return findings;
}

function locate(tenant: ResolvedTenant, namespace: ResolvedNamespace, setting: Path): Path {
  const { spec } = tenant.declaration;
  const index = namespace.path[2];
  const entry = typeof index === 'number' ? spec.namespaces?.[index] : undefined;
  for (let length = setting.length; length > 0; length -= 1) {
    const part = setting.slice(0, length);
    if (entry && has(entry, part)) return [...namespace.path, ...part];
    if (has(spec, part)) return ['spec', ...part];
  }
  return ['spec', 'className'];
}

function has(value: unknown, path: Path): boolean {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return false;
    at = (at as Record<string | number, unknown>)[part];
  }
  return true;
}
