import { parseQuantity } from '@tenantry/kube/quantity';
import type { Path } from '@tenantry/kube/problem';
import type { Quantities } from '../../crds/quota.ts';
import type { QuotaAmounts } from '../../crds/types.ts';
import { hasEnded } from '../end-dates.ts';
import type { Layer } from './layer.ts';
import type { ResolvedNamespace } from './resolved.ts';

/** A raised amount that is not over, and its place. */
export interface Raise {
  readonly key: string;
  readonly amount: string | number;
  readonly path: Path;
}

/** Lists the raised amounts of a layer that are not over on a date. */
export function listRaises(
  { settings, at }: Pick<Layer, 'settings' | 'at'>,
  field: 'hard' | 'total',
  date: string | undefined,
): readonly Raise[] {
  return (settings.quota?.temporary ?? []).flatMap((entry, i) => {
    if (hasEnded(entry.until, date)) return [];
    const amounts: QuotaAmounts = (field === 'hard' ? entry.hard : entry.total) ?? {};
    return Object.entries(amounts).map(([key, amount]) => ({
      key,
      amount,
      path: at('quota', 'temporary', i, field, key),
    }));
  });
}

/**
 * Raises amounts that are below temporary ones. An absent amount is unlimited and stays so. So the end of a raise never
 * opens anything.
 */
export function raiseAmounts(
  amounts: Quantities,
  raises: readonly Raise[],
  onRaised?: (raise: Raise) => void,
): Quantities {
  if (raises.length === 0) return amounts;
  const raised = new Map<string, string | number>(Object.entries(amounts));
  for (const raise of raises) {
    if (!isAbove(raise.amount, raised.get(raise.key))) continue;
    raised.set(raise.key, raise.amount);
    onRaised?.(raise);
  }
  return Object.fromEntries(raised);
}

/** Whether an amount is above another one; none is above an absent amount, which is unlimited. */
export function isAbove(amount: string | number, below: string | number | undefined): boolean {
  if (below === undefined || below === 'unlimited') return false;
  return parseQuantity(amount)! > parseQuantity(below)!;
}

/** Raises the quota of a namespace by the temporary amounts of its layers. */
export function raiseQuota(
  namespace: ResolvedNamespace,
  raises: readonly Raise[],
): ResolvedNamespace {
  if (raises.length === 0) return namespace;
  const { settings, origins } = namespace;
  const raised = new Map<string, Path>();
  const hard = raiseAmounts(settings.quota.hard, raises, ({ key, path }) => {
    origins?.record(['quota', 'hard', key], path);
    raised.set(key, path);
  });
  return { ...namespace, raised, settings: { ...settings, quota: { ...settings.quota, hard } } };
}
