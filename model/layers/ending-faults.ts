import type { Finding } from '@tenantry/kube/finding';
import { entryOf } from '@tenantry/kube/mapping';
import { formatBrief, show } from '@tenantry/kube/problem';
import { errorAt, warningAt } from '../findings/tenant-finding.ts';
import type { Layer } from './layer.ts';
import { isAbove, type Raise } from './raised-quota.ts';
import type { ResolvedNamespace } from './resolved.ts';

/** Receives a finding. One that occurs in several namespaces for the same reason is reported once. */
export type FindingReporter = (finding: Finding) => void;

/**
 * Reports network rules of one name in several layers, if one of them ends. They would be merged, so that its end would
 * change the others and could open more than before.
 */
export function reportSharedNames(layers: readonly Layer[], report: FindingReporter): void {
  for (const field of ['allowFrom', 'allowTo'] as const) {
    const endingBelow = new Map<string, boolean>();
    for (const { settings, at } of layers) {
      for (const [i, { name, until }] of (settings.network?.[field] ?? []).entries()) {
        const below = endingBelow.get(name);
        if (below === true || (below === false && until !== undefined)) {
          const message = `must be a name that no other layer has, since one of them ends, got ${show(name)}`;
          report(errorAt(at('network', field, i, 'name'), message, 'ending-name'));
        }
        endingBelow.set(name, below === true || until !== undefined);
      }
    }
  }
}

/** Reports raised amounts of the tenant that are above the lasting amount of no namespace. */
export function reportUnusedRaises(
  raises: readonly Raise[],
  namespaces: readonly ResolvedNamespace[],
  report: FindingReporter,
): void {
  for (const { key, amount, path } of raises) {
    const isUsed = namespaces.some(({ settings }) =>
      isAbove(amount, entryOf(settings.quota.hard, key)),
    );
    // Those of a class are for all of its tenants.
    if (isUsed || !path.includes('temporary')) continue;
    const must = `must be above the lasting amount of ${formatBrief(key)} in a namespace`;
    report(warningAt(path, `${must}, got ${show(amount)}`, 'raise-unused'));
  }
}
