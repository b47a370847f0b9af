import { expect, test } from '@jest/globals';
import { readDrift } from '../../../cli/tenants/tenant-drift.ts';
import { driftLines } from '../../../cli/tenants/drift-lines.ts';
import { driftMarkdown, tenantMarkdown, tenantsMarkdown } from '../../../cli/tenants/markdown.ts';
import {
  summarizeTenant,
  sortWorstFirst,
  type LiveTenant,
} from '../../../cli/tenants/tenant-summary.ts';
import { tableLines } from '../../../cli/tenants/table.ts';
import { tenantLines } from '../../../cli/tenants/tenant-lines.ts';
import { tenantsTable } from '../../../cli/tenants/tenants-table.ts';
import type { TenantStatus } from '../../../crds/tenant-status.ts';
import { ago, besides, drifted, fine, marked, now, plain, refused, tenant } from './given.ts';

const payments = tenant('payments', drifted, { className: 'regulated' });
const all = [
  tenant('invoicing', fine, { className: 'regulated' }),
  payments,
  tenant('shop', besides),
  tenant('new'),
  tenant('changed', fine, { generation: 2 }),
];

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const table = (tenants: readonly LiveTenant[], isWide = false) =>
  tenantsTable(sortWorstFirst(tenants.map(summarizeTenant)), now, { isWide });
const drift = (one: LiveTenant, paint = plain): string =>
  text(driftLines(one, readDrift(one), now, paint));

test('the table has a row for each tenant, the worst first, and a dash for unknown values', () => {
  expect(text(tableLines(table(all), plain))).toBe(`\
NAME        CLASS       READY   DRIFTED   UNDECLARED   REASON                             SINCE
payments    regulated   False   2         1            Drifted                            12m
new         -           -       -         -            not looked at                      -
changed     -           True    0         0            AsDeclared (generation 1, now 2)   12m
shop        -           True    0         3            AsDeclared                         12m
invoicing   regulated   True    0         0            AsDeclared                         12m
`);
});

test('the wide table adds counts, policy, lifecycle and the message', () => {
  const [head, row] = tableLines(table([payments], true), plain);
  expect(head!.split(/ {3,}/).slice(7)).toEqual([
    'NAMESPACES',
    'OBJECTS',
    'POLICY',
    'LIFECYCLE',
    'MESSAGE',
  ]);
  expect(row!.split(/ {3,}/).slice(7)).toEqual([
    '2',
    '19',
    'Observe',
    '-',
    '2 differences in ResourceQuota pay-prod/quota, RoleBinding pay-prod/edit',
  ]);
});

test('colors mark problems, and columns stay aligned', () => {
  const [, bad, good] = tableLines(table([all[0]!, payments]), marked);
  expect(bad).toBe(
    'payments    regulated   <red:False>   <red:2>         <yellow:1>            Drifted      12m',
  );
  expect(good).toBe(
    'invoicing   regulated   <green:True>    0         0            AsDeclared   12m',
  );
});

test('the details of one tenant: conditions with since, namespaces, drift, undeclared, quotas', () => {
  expect(text(tenantLines(payments, now, plain))).toBe(`\
Tenant       payments
Class        regulated
Lifecycle    Active
Ready        False: Drifted, for 12m
Policy       Observe
Namespaces   payments-dev, payments-prod
Here         2 namespaces, 19 objects; 2 differences in 2 objects, 1 undeclared

Conditions
  TYPE          STATUS   REASON    SINCE                        MESSAGE
  Ready         False    Drifted   2026-11-22T09:48:00Z (12m)   2 differences in ResourceQuota pay-prod/quota, RoleBinding pay-prod/edit
  Drifted       True     Drifted   2026-11-22T09:48:00Z (12m)
  Progressing   False    Drifted   2026-11-22T09:48:00Z (12m)
  Degraded      False    Drifted   2026-11-22T09:48:00Z (12m)

Drift
  Changed ResourceQuota pay-prod/quota spec.hard.pods by kubectl-edit (Update), seen for 12m
  Missing RoleBinding pay-prod/edit, seen for 5m
  values: tenantry tenant drift payments

Undeclared
  NetworkPolicy pay-prod/open by kubectl-create (Update), seen for 3h

Quotas with little left
  NAMESPACE   QUOTA   RESOURCE   HARD
  pay-dev     quota   pods       40
`);
});

test('for a tenant without a status only the declaration is shown', () => {
  expect(text(tenantLines(tenant('new'), now, plain))).toBe(`\
Tenant       new
Class        the platform's default
Lifecycle    Active
Ready        not looked at
Namespaces   new-dev, new-prod
`);
  expect(text(tenantLines(tenant('fine', fine), now, plain))).toContain(
    '; no drift, 0 undeclared\n',
  );
});

test('drift lists, by object and field, the declared and the live value, the field manager and the time', () => {
  expect(drift(payments)).toBe(`\
payments: 2 differences in 2 objects, 1 undeclared

ResourceQuota pay-prod/quota
  spec.hard.pods
    declared  "40"
    live      "400"
    by        kubectl-edit (Update)
    changed   2026-11-22T09:47:00Z (13m ago)
    seen      2026-11-22T09:48:00Z (12m ago)

RoleBinding pay-prod/edit is missing
  seen      2026-11-22T09:55:00Z (5m ago)

Undeclared
  NetworkPolicy pay-prod/open by kubectl-create (Update), seen 2026-11-22T07:00:00Z (3h ago)
`);
});

test('the declared value is green, the live value is red', () => {
  const lines = drift(payments, marked).split('\n');
  expect(lines).toContain('    declared  <green:"40">');
  expect(lines).toContain('    live      <red:"400">');
  expect(lines).toContain('<bold:RoleBinding pay-prod/edit> <red:is missing>');
  expect(lines[0]).toMatch(/^<red:payments: /);
});

const [changed] = drifted.drift!;
const { desired: _, ...extra } = {
  ...changed!,
  type: 'Extra' as const,
  field: 'spec.hard.secrets',
};
const { live: __, ...gone } = {
  ...changed!,
  type: 'Missing' as const,
  field: 'spec.hard.services',
};
const { field: ___, ...undeclared } = { ...extra, name: 'second' };

test('fields of one object are grouped, and values that only one side has are marked', () => {
  const status: TenantStatus = { ...drifted, drift: [extra, undeclared, gone], undeclared: [] };
  const lines = drift(tenant('payments', status)).split('\n');
  expect(lines.filter((line) => line.startsWith('ResourceQuota'))).toEqual([
    'ResourceQuota pay-prod/quota',
    'ResourceQuota pay-prod/second exists but is not declared',
  ]);
  const fields = lines.filter((line) => /^ {2}spec|^ {4}(declared|live)/.test(line));
  expect(fields.slice(0, 6)).toEqual([
    '  spec.hard.secrets',
    '    declared  nothing',
    '    live      "400"',
    '  spec.hard.services',
    '    declared  "40"',
    '    live      nothing',
  ]);
});

test('fields that the status leaves out are counted', () => {
  const status = {
    ...drifted,
    counts: { ...drifted.counts!, driftedFields: 31, driftedObjects: 9, undeclared: 25 },
    moreDrift: 29,
  };
  const many = tenant('payments', status);
  expect(drift(many)).toMatch(/^payments: 31 differences in 9 objects, 25 undeclared\n/);
  expect(drift(many)).toContain('\nand 29 more differences\n');
  expect(drift(many)).toMatch(/\n {2}and 24 more\n$/);
  expect(text(tenantLines(many, now, plain))).toContain(
    '  and 29 more: tenantry tenant drift payments\n',
  );
  expect(driftMarkdown(many, readDrift(many))).toContain(
    'And 29 more differences, 24 more undeclared.\n',
  );
});

test('an undeclared key is reported with its value', () => {
  const key = {
    kind: 'Namespace',
    name: 'pay-prod',
    field: 'metadata.labels.istio-injection',
    live: '"enabled"',
    manager: 'kubectl-label',
    operation: 'Update',
    since: ago(180),
  } as const;
  const status = { ...fine, counts: { ...fine.counts!, undeclared: 1 }, undeclared: [key] };
  const one = tenant('payments', status);
  const line = 'Namespace pay-prod metadata.labels.istio-injection: "enabled"';
  expect(drift(one)).toContain(`\n  ${line} by kubectl-label (Update), seen `);
  expect(text(tenantLines(one, now, plain))).toContain(`\n  ${line} by kubectl-label (Update)`);
  expect(driftMarkdown(one, readDrift(one))).toContain('istio-injection');
});

test('without differences, or without a comparison, drift reports that', () => {
  expect(drift(tenant('fine', fine))).toBe('fine: no drift\n');
  expect(drift(tenant('new'))).toBe('new: not compared (not looked at)\n');
  expect(drift(tenant('odd', refused))).toBe(
    'odd: not compared (Refused: spec.className must be a class, got gold)\n',
  );
});

/** Texts that users of tenants choose: names of managers, values. They must not control a terminal. */
const hostile: TenantStatus = {
  ...drifted,
  drift: [{ ...changed!, live: '"\u001B[2J\u202E|<b>"', manager: 'a\u009B1m`|x' }],
};

test('foreign text cannot control the terminal, or end a cell of a Markdown table', () => {
  const evil = tenant('payments', hostile);
  const drawn = [drift(evil), ...tenantLines(evil, now, plain)].join('\n');
  expect(drawn).toContain('"\\u001b[2J\\u202e|<b>"');
  // eslint-disable-next-line no-control-regex
  expect(drawn).not.toMatch(/[\u001B\u009B\u202E]/);
  const markdown = driftMarkdown(evil, readDrift(evil));
  expect(markdown).toContain('&#124;&#60;b&#62;"');
  expect(markdown).toContain('a&#92;u009b1m&#96;&#124;x');
  const row = markdown.split('\n').find((line) => line.startsWith('| ResourceQuota'));
  expect(row!.split('|')).toHaveLength(9);
});

test('Markdown has the tables, with at most as many rows as fit into a comment', () => {
  expect(tenantsMarkdown(all, now)).toMatch(
    /^### Tenants\n\n5 tenants: .*\.\n\n\| name \| class \| ready \|.*\n\| --- .*\n\| payments \| regulated \| False \| 2 \| 1 \| Drifted \| 12m \|\n/,
  );
  const crowd = Array.from({ length: 202 }, (_, at) => tenant(`t${at}`, fine));
  const markdown = tenantsMarkdown(crowd, now);
  expect(markdown.match(/^\| t\d+ /gm)).toHaveLength(200);
  expect(markdown).toContain('\nAnd 2 more.\n');
  expect(tenantMarkdown(payments)).toContain(
    `| ResourceQuota pay-prod/quota | spec.hard.pods | "40" | "400" | kubectl-edit (Update) | ${ago(13)} | ${ago(12)} |`,
  );
});
