import type { PlannedChange } from '../change.ts';
import { rankOf, type Agreement } from '../verdict.ts';

/** Who must agree to all changes together. */
export interface AgreementSummary {
  readonly agreement: Agreement;
  /** The changes that need this agreement. */
  readonly changes: readonly PlannedChange[];
  /** The tenants whose owners must agree, sorted. Besides, the platform must if the agreement is `platform`. */
  readonly tenants: readonly string[];
}

/** Returns the strictest verdict of all changes. Nobody must agree to none. */
export function summarize(changes: readonly PlannedChange[]): AgreementSummary {
  let agreement: Agreement = 'nobody';
  for (const { verdict } of changes)
    if (rankOf(verdict.agreement) > rankOf(agreement)) ({ agreement } = verdict);
  const tenants = new Set<string>();
  for (const { verdict, where } of changes) {
    if (verdict.agreement === 'nobody') continue;
    for (const one of verdict.tenants ?? []) tenants.add(one);
    for (const { tenant } of where) if (tenant !== undefined) tenants.add(tenant);
  }
  return {
    agreement,
    changes: changes.filter(({ verdict }) => verdict.agreement === agreement),
    tenants: [...tenants].toSorted(),
  };
}
