import { escapeForTerminal } from '@tenantry/kube/printable';
import { count, formatNumber, type Paint, formatAge } from '../console-output.ts';
import {
  formatFieldManager,
  describeUndeclared,
  type FieldDrift,
  type DriftedObject,
  type TenantDrift,
  type UndeclaredItem,
} from './tenant-drift.ts';
import { summarizeTenant, type LiveTenant, type TenantSummary } from './tenant-summary.ts';
import { reasonText, chooseStyle } from './tenants-table.ts';

/** Formats the drift of a tenant for a terminal, object by object and field by field. */
export function driftLines(
  tenant: LiveTenant,
  differences: TenantDrift,
  now: Date,
  paint: Paint,
): readonly string[] {
  const { objects, more, undeclared, moreUndeclared } = differences;
  const summary = summarizeTenant(tenant);
  const head = paint(
    chooseStyle(summary.state),
    escapeForTerminal(driftSummary(summary, differences)),
  );
  const blocks = [
    [head],
    ...objects.map((one) => objectLines(one, now, paint)),
    ...(more > 0 ? [[`and ${count(more, 'more difference')}`]] : []),
    ...(undeclared.length > 0
      ? [
          [
            paint('bold', 'Undeclared'),
            ...undeclared.map((one) => undeclaredLine(one, now, paint)),
            ...(moreUndeclared > 0 ? [`  and ${formatNumber(moreUndeclared)} more`] : []),
          ],
        ]
      : []),
    ...notComparedLines(tenant),
  ];
  return blocks.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

/** `Not compared: 2 Certificate.cert-manager.io (NotNamed), 1 Job.batch (NotRead)`. */
function notComparedLines({ status }: LiveTenant): readonly (readonly string[])[] {
  const kinds = (status?.notCompared ?? []).map(({ kind, group, objects, reason }) => {
    const name = group === undefined ? kind : `${kind}.${group}`;
    return `${formatNumber(objects)} ${name} (${reason})`;
  });
  return kinds.length === 0 ? [] : [[escapeForTerminal(`Not compared: ${kinds.join(', ')}`)]];
}

/** `payments: 2 differences in 1 object, 1 undeclared`. */
export function driftSummary(summary: TenantSummary, differences: TenantDrift): string {
  const { name, counts, message = '' } = summary;
  if (!counts) {
    const why = [reasonText(summary), message].filter(Boolean).join(': ');
    return `${name}: not compared (${why})`;
  }
  const { undeclared, moreUndeclared, objects, more } = differences;
  const listed = objects.reduce((sum, one) => sum + one.differences.length, 0);
  const fields = listed + more;
  const drifted = more > 0 ? counts.driftedObjects : objects.length;
  const differ = `${count(fields, 'difference')} in ${count(drifted, 'object')}`;
  const undeclaredCount = undeclared.length + moreUndeclared;
  const besides = undeclaredCount === 0 ? [] : [`${formatNumber(undeclaredCount)} undeclared`];
  return `${name}: ${[fields === 0 ? 'no drift' : differ, ...besides].join(', ')}`;
}

/** Descriptions of objects without fields: missing, undeclared, or unreadable. */
const wholeWords = {
  Missing: 'is missing',
  Extra: 'exists but is not declared',
  Changed: 'differs, and could not be read',
} as const;

function objectLines(
  { object, differences }: DriftedObject,
  now: Date,
  paint: Paint,
): readonly string[] {
  const title = paint('bold', escapeForTerminal(object));
  const whole = differences.find(({ field }) => field === undefined);
  if (whole) {
    return [
      `${title} ${paint('red', wholeWords[whole.type])}`,
      ...formatOrigin(whole, now, paint, '  '),
    ];
  }
  return [title, ...differences.flatMap((one) => fieldLines(one, now, paint))];
}

function fieldLines(one: FieldDrift, now: Date, paint: Paint): readonly string[] {
  const { field = '', desired, live } = one;
  const value = (text: string | undefined, style: 'green' | 'red'): string =>
    text === undefined ? paint('dim', 'nothing') : paint(style, escapeForTerminal(text));
  return [
    `  ${escapeForTerminal(field)}`,
    `    declared  ${value(desired, 'green')}`,
    `    live      ${value(live, 'red')}`,
    ...formatOrigin(one, now, paint, '    '),
  ];
}

/** Formats the field manager and time of a change, and since when the operator has observed it. */
function formatOrigin(
  one: FieldDrift | UndeclaredItem,
  now: Date,
  paint: Paint,
  indent: string,
): readonly string[] {
  const by = formatFieldManager(one);
  const { changed, since } = one;
  return [
    ...(by === undefined ? [] : [`${indent}by        ${paint('cyan', escapeForTerminal(by))}`]),
    ...(changed === undefined ? [] : [`${indent}changed   ${timeText(changed, now)}`]),
    ...(since === undefined ? [] : [`${indent}seen      ${timeText(since, now)}`]),
  ];
}

/** `2026-11-22T09:14:05Z (12m ago)`. */
function timeText(time: string, now: Date): string {
  return `${escapeForTerminal(time)} (${formatAge(time, now)} ago)`;
}

function undeclaredLine(one: UndeclaredItem, now: Date, paint: Paint): string {
  const by = formatFieldManager(one);
  const seen = one.since === undefined ? '' : `, seen ${timeText(one.since, now)}`;
  const whose = by === undefined ? '' : ` by ${paint('cyan', escapeForTerminal(by))}`;
  return `  ${paint('yellow', escapeForTerminal(describeUndeclared(one)))}${whose}${seen}`;
}
