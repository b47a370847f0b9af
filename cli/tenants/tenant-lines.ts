import { omitUndefined } from '@tenantry/kube/mapping';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { listClaimedNamespaces } from '../../operator/fleet/declarations.ts';
import { truncateList, count, formatNumber, type Paint, formatAge } from '../console-output.ts';
import {
  readDrift,
  formatFieldManager,
  describeUndeclared,
  type FieldDrift,
} from './tenant-drift.ts';
import { summarizeTenant, type LiveTenant } from './tenant-summary.ts';
import { formatLine, tableLines, type Cell, type Table } from './table.ts';
import { reasonText, chooseStyle } from './tenants-table.ts';

/**
 * The number of differences and of undeclared items that are shown for a tenant; `tenantry tenant drift`
 * has all.
 */
const MAX_LISTED = 5;

/** Formats the details of one tenant for a terminal. */
export function tenantLines(tenant: LiveTenant, now: Date, paint: Paint): readonly string[] {
  const facts = factRows(tenant, now);
  const widths = [Math.max(...facts.map(([title]) => title!.text.length))];
  const sections = [
    facts.map((row) => formatLine(row, widths, paint)),
    section('Conditions', conditionTable(tenant, now), paint),
    shortDrift(tenant, now, paint),
    shortUndeclared(tenant, now, paint),
    section('Quotas with little left', pressureTable(tenant), paint),
    section('Not compared', notComparedTable(tenant), paint),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

function factRows(tenant: LiveTenant, now: Date): readonly (readonly Cell[])[] {
  const summary = summarizeTenant(tenant);
  const { name, state, ready, since, counts, driftPolicy } = summary;
  const { className = "the platform's default", lifecycle = 'Active' } = summary;
  const readyText =
    ready === undefined
      ? reasonText(summary)
      : `${ready}: ${reasonText(summary)}${since === undefined ? '' : `, for ${formatAge(since, now)}`}`;
  const fact = (title: string, text: string, style?: Cell['style']): readonly Cell[] => [
    { text: title, style: 'dim' },
    omitUndefined({ text, style }),
  ];
  return [
    fact('Tenant', name, 'bold'),
    fact('Class', className),
    fact('Lifecycle', lifecycle),
    fact('Ready', readyText, chooseStyle(state)),
    ...(driftPolicy === undefined ? [] : [fact('Policy', driftPolicy)]),
    fact('Namespaces', truncateList(listClaimedNamespaces(tenant), 10).join(', ')),
    ...(counts ? [fact('Here', countsText(counts))] : []),
  ];
}

type Counts = NonNullable<NonNullable<LiveTenant['status']>['counts']>;

/** `2 namespaces, 19 objects; 2 differences in 2 objects, 1 undeclared`. */
function countsText(counts: Counts): string {
  const { namespaces, objects, driftedObjects, driftedFields, undeclared } = counts;
  const there = `${count(namespaces, 'namespace')}, ${count(objects, 'object')}`;
  const drift = `${count(driftedFields, 'difference')} in ${count(driftedObjects, 'object')}`;
  return `${there}; ${driftedFields === 0 ? 'no drift' : drift}, ${formatNumber(undeclared)} undeclared`;
}

function conditionTable({ status }: LiveTenant, now: Date): Table {
  return {
    head: ['TYPE', 'STATUS', 'REASON', 'SINCE', 'MESSAGE'],
    rows: (status?.conditions ?? []).map((one) => [
      { text: one.type },
      { text: one.status },
      { text: one.reason },
      { text: `${one.lastTransitionTime} (${formatAge(one.lastTransitionTime, now)})` },
      { text: one.message },
    ]),
  };
}

function pressureTable({ status }: LiveTenant): Table {
  return {
    head: ['NAMESPACE', 'QUOTA', 'RESOURCE', 'HARD'],
    rows: (status?.quotaPressure ?? []).map(({ namespace, quota, resource, hard }) => [
      { text: namespace },
      { text: quota },
      { text: resource, style: 'yellow' },
      { text: hard },
    ]),
  };
}

function notComparedTable({ status }: LiveTenant): Table {
  return {
    head: ['KIND', 'OBJECTS', 'REASON'],
    rows: (status?.notCompared ?? []).map(({ kind, group, objects, reason }) => [
      { text: group === undefined ? kind : `${kind}.${group}` },
      { text: formatNumber(objects) },
      { text: reason },
    ]),
  };
}

function section(title: string, table: Table, paint: Paint): readonly string[] {
  if (table.rows.length === 0) return [];
  return [paint('bold', title), ...tableLines(table, paint).map((line) => `  ${line}`)];
}

function shortDrift(tenant: LiveTenant, now: Date, paint: Paint): readonly string[] {
  const { objects, more } = readDrift(tenant);
  const all = objects.flatMap(({ object, differences }) =>
    differences.map((one) => ({ object, one })),
  );
  if (all.length === 0) return [];
  const lines = all.slice(0, MAX_LISTED).map(({ object, one }) => {
    const { type, field } = one;
    const hand = formatFieldManager(one);
    const what = field === undefined ? object : `${object} ${field}`;
    const by = hand === undefined ? '' : ` by ${hand}`;
    return `  ${paint('red', type)} ${escapeForTerminal(`${what}${by}${seen(one, now)}`)}`;
  });
  const rest = all.length - lines.length + more;
  const go = `tenantry tenant drift ${tenant.metadata.name}`;
  const end = rest > 0 ? `and ${formatNumber(rest)} more: ${go}` : `values: ${go}`;
  return [paint('bold', 'Drift'), ...lines, `  ${paint('dim', end)}`];
}

function shortUndeclared(tenant: LiveTenant, now: Date, paint: Paint): readonly string[] {
  const { undeclared, moreUndeclared } = readDrift(tenant);
  if (undeclared.length === 0) return [];
  const lines = undeclared.slice(0, MAX_LISTED).map((one) => {
    const hand = formatFieldManager(one);
    const by = hand === undefined ? '' : ` by ${hand}`;
    const text = `${describeUndeclared(one)}${by}${seen(one, now)}`;
    return `  ${paint('yellow', escapeForTerminal(text))}`;
  });
  const rest = undeclared.length - lines.length + moreUndeclared;
  const more = rest > 0 ? [`  ${paint('dim', `and ${formatNumber(rest)} more`)}`] : [];
  return [paint('bold', 'Undeclared'), ...lines, ...more];
}

function seen({ since }: Pick<FieldDrift, 'since'>, now: Date): string {
  return since === undefined ? '' : `, seen for ${formatAge(since, now)}`;
}
