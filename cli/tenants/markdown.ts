import { escaped } from '../markdown.ts';
import { count, formatNumber } from '../console-output.ts';
import {
  readDrift,
  formatFieldManager,
  describeUndeclared,
  type FieldDrift,
  type TenantDrift,
} from './tenant-drift.ts';
import { driftSummary } from './drift-lines.ts';
import {
  summarizeTenant,
  sortWorstFirst,
  type LiveTenant,
  totalsLine,
  countByState,
} from './tenant-summary.ts';
import { markdownTable, type Table } from './table.ts';
import { reasonText, tenantsTable } from './tenants-table.ts';

/** The number of rows in a comment on a merge request, which holds 65,536 characters. The rest is counted. */
const MAX_ROWS = 200;

/** Formats the state of tenants as a comment on a merge request. */
export function tenantsMarkdown(tenants: readonly LiveTenant[], now: Date): string {
  const summaries = sortWorstFirst(tenants.map(summarizeTenant));
  const table = tenantsTable(summaries.slice(0, MAX_ROWS), now, { isWide: false });
  const more = summaries.length - MAX_ROWS;
  const lines = [
    '### Tenants',
    '',
    `${totalsLine(countByState(summaries))}.`,
    '',
    ...(summaries.length === 0 ? [] : [...markdownTable(lowerCased(table)), '']),
    ...(more > 0 ? [`And ${formatNumber(more)} more.`, ''] : []),
  ];
  return lines.join('\n');
}

/** Formats the details of one tenant. */
export function tenantMarkdown(tenant: LiveTenant): string {
  const summary = summarizeTenant(tenant);
  const { status } = tenant;
  const pressure = status?.quotaPressure ?? [];
  const lines = [
    `### Tenant ${escaped(summary.name)}`,
    '',
    `Ready: ${escaped([summary.ready ?? '-', reasonText(summary)].join(', '))}.`,
    '',
    ...tableWith(
      ['condition', 'status', 'reason', 'since', 'message'],
      (status?.conditions ?? []).map((one) => [
        one.type,
        one.status,
        one.reason,
        one.lastTransitionTime,
        one.message,
      ]),
    ),
    ...differenceTables(readDrift(tenant)),
    ...tableWith(
      ['namespace', 'quota', 'resource with little left', 'hard'],
      pressure.map(({ namespace, quota, resource, hard }) => [namespace, quota, resource, hard]),
    ),
  ];
  return lines.join('\n');
}

/** Formats the drift of one tenant. */
export function driftMarkdown(tenant: LiveTenant, differences: TenantDrift): string {
  const lines = [
    `### Drift of ${escaped(differences.tenant)}`,
    '',
    `${escaped(driftSummary(summarizeTenant(tenant), differences))}.`,
    '',
    ...differenceTables(differences),
  ];
  return lines.join('\n');
}

function differenceTables(differences: TenantDrift): readonly string[] {
  const { objects, more, undeclared, moreUndeclared } = differences;
  const all = objects.flatMap(({ object, differences: fields }) =>
    fields.map((one) => [object, ...fieldCells(one)]),
  );
  const unlisted = [
    more > 0 && count(more, 'more difference'),
    moreUndeclared > 0 && `${formatNumber(moreUndeclared)} more undeclared`,
    all.length > MAX_ROWS && `${count(all.length - MAX_ROWS, 'difference')} left out here`,
  ].filter(Boolean);
  return [
    ...tableWith(
      ['object', 'field', 'declared', 'live', 'by', 'changed', 'seen since'],
      all.slice(0, MAX_ROWS),
    ),
    ...tableWith(
      ['declared by nobody', 'by', 'changed', 'seen since'],
      undeclared
        .slice(0, MAX_ROWS)
        .map((one) => [
          describeUndeclared(one),
          formatFieldManager(one) ?? '',
          one.changed ?? '',
          one.since ?? '',
        ]),
    ),
    ...(unlisted.length > 0 ? [`And ${unlisted.join(', ')}.`, ''] : []),
  ];
}

function fieldCells(one: FieldDrift): readonly string[] {
  const { type, field, desired = 'nothing', live = 'nothing', changed = '', since = '' } = one;
  const hand = [formatFieldManager(one) ?? '', changed, since];
  if (field === undefined) return [type.toLowerCase(), '', '', ...hand];
  return [field, desired, live, ...hand];
}

function tableWith(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return [];
  return [...markdownTable({ head, rows: rows.map((row) => row.map((text) => ({ text }))) }), ''];
}

function lowerCased({ head, rows }: Table): Table {
  return { head: head.map((title) => title.toLowerCase()), rows };
}
