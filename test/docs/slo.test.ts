import { expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAlertRules } from '../../model/operator/monitoring/alerts.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { Metrics } from '@tenantry/runtime/metrics/metrics';
import { promtool } from '../go/promtool.ts';
import { Served } from '../operator/metrics/served.ts';
import { readSection } from './pages.ts';

const run = await promtool();
const ofPromtool = run ? test : test.skip;

const { text, blocks } = readSection('docs/operator-install.md', 'Service levels of the operator');
const queries = blocks
  .filter(({ language }) => language === 'promql')
  .flatMap((block) => block.text.trim().split('\n'));

/** Runs promtool with this file, and with the queries as recording rules. */
function withRules(tests: object, command: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-slo-'));
  const [rules, cases] = ['rules.yaml', 'test.yaml'].map((name) => join(folder, name));
  try {
    const all = queries.map((expr, at) => ({ record: `slo:query:${at}`, expr }));
    writeFileSync(rules!, JSON.stringify({ groups: [{ name: 'slo', rules: all }] }));
    writeFileSync(cases!, JSON.stringify(tests));
    const [file] = command.includes('test') ? [cases!] : [rules!];
    expect(run!(...command, file)).toMatchObject({
      isOk: true,
      output: expect.stringContaining('SUCCESS'),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

ofPromtool('Prometheus takes the queries of docs/operator-install.md', () => {
  expect(queries).toHaveLength(4);
  withRules({}, ['check', 'rules']);
});

/** Returns the names of metrics: all words that are no function, keyword, label or string. */
function metricsIn(query: string): string[] {
  const bare = query.replaceAll(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, '');
  const names = bare.match(/\b[a-z]\w*\b(?! *\()/g) ?? [];
  return names.filter((name) => !['or', 'bool', 'by', 'sum', 'max'].includes(name));
}

test('each metric of docs/operator-install.md is one of the operator, and each alert is one of its rules', async () => {
  const { registry } = await Served.begin();
  const runtime = (await Metrics.create({ ofProcess: false })).registry;
  const known = [await registry.metrics(), await runtime.metrics()].join('\n');
  const asked = queries.flatMap(metricsIn).map((name) => name.replace(/_bucket$/, ''));
  expect(asked).toHaveLength(4);
  const named = [...text.matchAll(/`((?:tenantry|leader_election)_\w+)[`{]/g)].map(
    ([, name]) => name!,
  );
  expect(named.length).toBeGreaterThan(3);
  for (const name of [...asked, ...named]) {
    // Prometheus generates this metric itself.
    if (name !== 'up') expect(known).toContain(`# TYPE ${name} `);
  }
  const { operatorMonitoring } = resolvePlatform();
  const alerts = buildAlertRules(operatorMonitoring).flatMap(({ rules }) =>
    rules.map((one) => one.alert),
  );
  const documented = [...text.matchAll(/`(Tenant\w+)`/g)].map(([, name]) => name);
  expect(documented.length).toBeGreaterThan(4);
  expect(alerts).toEqual(expect.arrayContaining(documented));
});

const at = 'job="tenantry-operator"';
const [one, other] = [`${at}, pod="one"`, `${at}, pod="two"`];

ofPromtool('minutes in which no replica reports are not counted as good ones', () => {
  // One sample in five minutes. The operator is down in the last quarter of 30 days, and statuses are stale in the
  // third.
  const series: Readonly<Record<string, string>> = {
    [`up{${one}}`]: '1x6479 0x2160',
    [`up{${other}}`]: '1x3000 _x5639',
    [`leader_election_master_status{${one}, name="tenantry-operator"}`]: '1x6479 _x2160',
    [`leader_election_master_status{${other}, name="tenantry-operator"}`]: '0x6479 _x2160',
    'leader_election_master_status{job="another", name="another"}': '1x8640',
    [`tenantry_stale_statuses{${one}}`]: '0x4319 2x2159 _x2160',
    [`tenantry_stale_statuses{${other}}`]: '0x6479 _x2160',
    [`tenantry_status_delay_seconds_bucket{${one}, le="1"}`]: '0+98x8640',
    [`tenantry_status_delay_seconds_bucket{${one}, le="5"}`]: '0+100x8640',
    [`tenantry_status_delay_seconds_bucket{${one}, le="+Inf"}`]: '0+100x8640',
  };
  const shares = ['3', '0.5', '0.75', '0.75'];
  const promql_expr_test = queries.map((query, i) => ({
    // promtool loads fewer samples than Prometheus does.
    expr: `round(${query.replace('[30d:1m]', '[30d:1h]')}, 0.01)`,
    eval_time: '30d',
    exp_samples: [{ labels: '{}', value: Number(shares[i]) }],
  }));
  const input_series = Object.entries(series).map(([name, values]) => ({ series: name, values }));
  withRules({ tests: [{ interval: '5m', input_series, promql_expr_test }] }, ['test', 'rules']);
});
