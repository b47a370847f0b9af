import { expect } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAlertRules } from '../../../model/operator/monitoring/alerts.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import type { PromtoolAnswer } from '../../go/promtool.ts';

const { operatorMonitoring } = resolvePlatform();

/** The alerts of an operator without hooks. */
export const alertGroups = buildAlertRules(operatorMonitoring, false);
const expressions = alertGroups.flatMap(({ rules }) => rules.map(({ expr }) => expr)).join('\n');

/** Values of each series, one per minute; undefined if there was none. */
export type SeriesByMinute = ReadonlyMap<string, readonly (number | undefined)[]>;

const target = 'job="tenantry-operator", namespace="tenantry-system", pod="one", instance="one"';

/** Returns the scraped series that alerts use, as the input of promtool. */
function inputSeries(series: SeriesByMinute): readonly object[] {
  const asked = [...series].filter(([name]) => expressions.includes(name.replace(/\{.*/, '')));
  const scraped = asked.map(([name, values]) => ({
    series: withTarget(name),
    values: values.map((value) => (value === undefined ? '_' : String(value))).join(' '),
  }));
  const [[, first = []] = []] = series;
  return [{ series: `up{${target}}`, values: `1x${first.length}` }, ...scraped];
}

function withTarget(series: string): string {
  const [, name, labels] = /^([^{]+)(?:\{(.*)\})?$/.exec(series) ?? [];
  return `${name}{${[target, labels].filter(Boolean).join(', ')}}`;
}

/** Checks with Prometheus' own evaluation that exactly these alerts fire at the end. */
export function expectFiring(
  run: (...args: readonly string[]) => PromtoolAnswer,
  series: SeriesByMinute,
  alerts: readonly string[],
): void {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-faults-'));
  try {
    const rules = alertGroups.map(({ name, rules: all }) => ({
      name,
      rules: all.map((rule) => ({ ...rule, annotations: {} })),
    }));
    writeFileSync(join(folder, 'rules.yaml'), JSON.stringify({ groups: rules }));
    const [[, values = []] = []] = series;
    const promql_expr_test = [
      {
        expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${values.length - 1}m`,
        exp_samples: alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      },
    ];
    const tests = [{ interval: '1m', input_series: inputSeries(series), promql_expr_test }];
    const file = join(folder, 'test.yaml');
    const all = { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests };
    writeFileSync(file, JSON.stringify(all));
    expect(run('test', 'rules', file)).toEqual({
      isOk: true,
      output: expect.stringContaining('SUCCESS'),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
