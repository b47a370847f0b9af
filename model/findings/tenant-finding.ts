import type { Finding } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import type { TenantRuleId } from './tenant-rules.ts';

/** A finding of a rule of the list. */
export type TenantFinding = Finding & { readonly rule: TenantRuleId };

/** Returns an error of a rule of the list. */
export function errorAt(path: Path, message: string, rule: TenantRuleId): TenantFinding {
  return { path, message, rule, severity: 'error' };
}

/** Returns a warning of a rule of the list. */
export function warningAt(path: Path, message: string, rule: TenantRuleId): TenantFinding {
  return { path, message, rule, severity: 'warning' };
}
