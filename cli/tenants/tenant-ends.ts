import type { TenantDeclaration } from '../../model/declaration.ts';
import { validateTenantSpec } from '../../model/declared-objects.ts';
import { hasEnded, noticeDay } from '../../model/end-dates.ts';
import { listTenantEndings } from '../../model/endings.ts';
import { formatPath } from '@tenantry/kube/problem';
import type { Cell } from './table.ts';

/** What ends in a Tenant, on a date. */
export interface TenantEnds {
  /** The next last day, as `2027-01-31` in UTC; absent if nothing ends any more. */
  readonly next?: string;
  /** The entries that end, the first ones first. */
  readonly endings: readonly {
    readonly until: string;
    readonly what: string;
    /** The place in the Tenant. */
    readonly path: string;
    /** Whether it is over, so that it is not rendered any more. */
    readonly hasEnded: boolean;
  }[];
}

/** Collects what ends in a Tenant, without what its class ends. Nothing of an invalid one is known. */
export function collectEnds(tenant: TenantDeclaration, date: string): TenantEnds {
  if (validateTenantSpec(tenant).length > 0) return { endings: [] };
  const endings = listTenantEndings(tenant)
    .map(({ until, what, path }) => ({
      until,
      what,
      path: formatPath(path),
      hasEnded: hasEnded(until, date),
    }))
    .toSorted((a, b) => (a.until < b.until ? -1 : a.until > b.until ? 1 : 0));
  const next = endings.find((one) => !one.hasEnded)?.until;
  return { ...(next !== undefined && { next }), endings };
}

/** Formats the next end and the number of others: `2027-01-31, 2 more, 1 ended`. Ends that `check` reports are colored. */
export function buildEndsCell({ next, endings }: TenantEnds, date: string): Cell {
  const over = endings.filter((one) => one.hasEnded).length;
  const more = endings.length - over - 1;
  const parts = [
    ...(next === undefined ? [] : [next]),
    ...(more > 0 ? [`${more} more`] : []),
    ...(over > 0 ? [`${over} ended`] : []),
  ];
  const text = parts.join(', ') || '-';
  if (over > 0) return { text, style: 'red' };
  return next !== undefined && date >= noticeDay(next) ? { text, style: 'yellow' } : { text };
}
