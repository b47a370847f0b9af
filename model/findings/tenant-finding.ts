import type { Finding } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import type { TenantRuleId } from './tenant-rules.ts';

/** A finding of a rule of the list. */
export type TenantFinding<Id extends TenantRuleId = TenantRuleId> = Finding & { readonly rule: Id };

/** Returns an error of a rule of the list. */
export function errorAt<const Id extends TenantRuleId>(
  path: Path,
  message: string,
  rule: Id,
): TenantFinding<Id> {
  return { path, message, rule, severity: 'error' };
}

/** Returns a warning of a rule of the list. */
export function warningAt<const Id extends TenantRuleId>(
  path: Path,
  message: string,
  rule: Id,
): TenantFinding<Id> {
  return { path, message, rule, severity: 'warning' };
}
