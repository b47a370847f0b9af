import { accessRules } from './access.ts';
import { argocdRules } from './argocd.ts';
import { ceilingRules, platformRules } from './platform.ts';
import { metadataRules } from './metadata.ts';
import { nameRules } from './names.ts';
import { networkRules } from './network.ts';
import { quotaRules } from './quota.ts';
import { resourceRules } from './resources.ts';
import type { TenantRule } from './rule.ts';

/** All rules for tenants, their classes and the platform file. */
export const tenantRules = [
  ...platformRules,
  ...nameRules,
  ...quotaRules,
  ...ceilingRules,
  ...accessRules,
  ...networkRules,
  ...argocdRules,
  ...metadataRules,
  ...resourceRules,
];

/** The id of a rule of the list. A finding with another id does not compile. */
export type TenantRuleId = (typeof tenantRules)[number]['id'];

const severities = new Map<string, TenantRule['severity']>(
  tenantRules.map(({ id, severity }) => [id, severity]),
);

/** Returns the severity of a rule, which its findings have unless a check reports another one. */
export function findSeverity(rule: TenantRuleId): TenantRule['severity'] {
  return severities.get(rule)!;
}

const classDependentRules: ReadonlySet<string> = new Set(
  tenantRules.filter(({ dependsOnClass }) => dependsOnClass).map(({ id }) => id),
);

/** Whether a finding of a rule may be the fault of the class. */
export function dependsOnClass(rule: string): boolean {
  return classDependentRules.has(rule);
}
