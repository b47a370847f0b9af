import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AlertRule } from '../../model/operator/monitoring/alert-rule.ts';
import { buildAlertRules } from '../../model/operator/monitoring/alerts.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { states } from '../../operator/metrics/tenant-series.ts';
import { ownMetrics } from '../operator/metrics/served.ts';
import { root } from './pages.ts';

const page = readFileSync(join(root, 'docs/operator.md'), 'utf8');
const section = /^## Metrics and alerts\n([^]*?)(?=^## |(?![^]))/m.exec(page)![1]!;
const { operatorMonitoring } = resolvePlatform();
const alerts = buildAlertRules(operatorMonitoring).flatMap(({ rules }) => rules);

/** The cells of table rows whose first cell is code. */
const rows = [...section.matchAll(/^\| `(\w+)` +\|(.+)\|$/gm)].map(([, first = '', rest = '']) => [
  first,
  ...rest.split('|').map((cell) => cell.trim().replaceAll('`', '')),
]);

test('docs/operator.md has all metrics of tenants, with the descriptions in the code', async () => {
  const described = rows.filter(([name]) => name!.startsWith('tenantry_'));
  const of = described.map(([name, type, labels, help]) => ({
    name,
    type,
    labels: labels!.split(', ').filter(Boolean),
    help,
  }));
  expect(of.toSorted((a, b) => (a.name! < b.name! ? -1 : 1))).toEqual(await ownMetrics());
});

test('docs/operator.md has all states of tenants, in the order of precedence', () => {
  expect(rows.filter(([name]) => !name!.startsWith('tenantry_'))).toEqual(Object.entries(states));
});

const severityIn = (text: string): string => /^(\w+)/.exec(text)![1]!.toLowerCase();

test('docs/operator.md has the severity and the causes of each alert', () => {
  const parts = section.split(/^### /m).slice(1);
  const documented = parts.map((part) => {
    const [name, text = ''] = part.split(/\n\n([^]*)/);
    const causes = [...text.matchAll(/^- `(\w+)`/gm)].map(([, cause]) => cause);
    return { name, severity: severityIn(text), causes };
  });
  const byName = Map.groupBy(alerts, ({ alert }: AlertRule) => alert);
  expect(documented).toEqual(
    [...byName].map(([name, rules]) => ({
      name,
      severity: rules[0]!.labels.severity,
      causes: rules.flatMap(({ labels: { cause } }) => cause ?? []),
    })),
  );
});

test('docs/monitoring has the file that a cluster without Prometheus Operator loads', () => {
  const file = readFileSync(join(root, 'docs/monitoring/tenantry-rules.yaml'), 'utf8');
  for (const { alert } of alerts) expect(file).toContain(`alert: ${alert}\n`);
});
