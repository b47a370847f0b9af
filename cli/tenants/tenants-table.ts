import { omitUndefined } from '@tenantry/kube/mapping';
import { formatAge } from '../console-output.ts';
import { isCurrent, type TenantSummary, type TenantState } from './tenant-summary.ts';
import type { Cell, Table } from './table.ts';

const styles = {
  Degraded: 'red',
  Drifted: 'red',
  Unseen: 'yellow',
  Outdated: 'yellow',
  NotReady: 'red',
  Progressing: 'yellow',
  Undeclared: 'yellow',
  Cordoned: 'dim',
  Ready: 'green',
} as const satisfies Record<TenantState, Cell['style']>;

/** Returns the table with a row for each tenant. */
export function tenantsTable(
  summaries: readonly TenantSummary[],
  now: Date,
  { isWide }: { readonly isWide: boolean },
): Table {
  const head = ['NAME', 'CLASS', 'READY', 'DRIFTED', 'UNDECLARED', 'REASON', 'SINCE'];
  const more = ['NAMESPACES', 'OBJECTS', 'POLICY', 'LIFECYCLE', 'MESSAGE'];
  return {
    head: isWide ? [...head, ...more] : head,
    rows: summaries.map((one) => [...buildRow(one, now), ...(isWide ? buildDetailCells(one) : [])]),
  };
}

/** Unknown values are a `-`. */
function buildRow(summary: TenantSummary, now: Date): readonly Cell[] {
  const { name, className = '-', state, ready = '-', counts, since } = summary;
  return [
    { text: name },
    { text: className },
    { text: ready, style: styles[state] },
    numberCell(counts?.driftedFields, 'red'),
    numberCell(counts?.undeclared, 'yellow'),
    { text: reasonText(summary) },
    { text: since === undefined ? '-' : formatAge(since, now) },
  ];
}

function buildDetailCells({
  counts,
  driftPolicy,
  lifecycle,
  message,
}: TenantSummary): readonly Cell[] {
  return [
    numberCell(counts?.namespaces),
    numberCell(counts?.objects),
    { text: driftPolicy ?? '-' },
    { text: lifecycle ?? '-' },
    { text: message ?? '' },
  ];
}

function numberCell(number: number | undefined, style?: Cell['style']): Cell {
  if (number === undefined) return { text: '-' };
  return omitUndefined({
    text: String(number),
    style: number > 0 ? style : undefined,
  });
}

/** Formats the reason: `Drifted`; for an outdated status also what it is about. */
export function reasonText(summary: TenantSummary): string {
  const { state, reason = '-', generation, observedGeneration } = summary;
  if (state === 'Unseen') return 'not looked at';
  if (isCurrent(summary)) return reason;
  return `${reason} (generation ${observedGeneration ?? 0}, now ${generation})`;
}

/** Returns the color of a state. */
export function chooseStyle(state: TenantState): NonNullable<Cell['style']> {
  return styles[state];
}
