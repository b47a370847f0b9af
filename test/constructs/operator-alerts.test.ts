import { expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAlertRules } from '../../model/operator/monitoring/alerts.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { promtool } from '../go/promtool.ts';

const run = await promtool();
const ofPromtool = run ? test : test.skip;

const defaults = resolvePlatform().operatorMonitoring;
const settings = { each: defaults, together: { ...defaults, tenantSeries: false } };
type Setting = keyof typeof settings;

/** A series in promtool's notation, and the alerts that fire after a duration. */
interface AlertCase {
  readonly series: Readonly<Record<string, string>>;
  readonly after: string;
  /** Name and distinguishing labels of each alert. */
  readonly alerts: readonly string[];
}

const at = 'job="tenantry-operator", namespace="tenantry-system"';
const leader = `${at}, pod="one", instance="10.0.0.1:8080"`;
const other = `${at}, pod="two", instance="10.0.0.2:8080"`;
const queue = 'name="tenant", controller="tenant"';

/** The series of a healthy operator, so that the alerts of a case come from its own series. */
const well = {
  [`up{${leader}}`]: '1x120',
  [`up{${other}}`]: '1x120',
  [`tenantry_tenants{${leader}, state="ready"}`]: '12x120',
  [`tenantry_tenants{${leader}, state="drifted"}`]: '0x120',
  [`tenantry_stale_statuses{${leader}}`]: '0x120',
  [`tenantry_stale_statuses{${other}}`]: '0x120',
  [`tenantry_tenants_short_of_quota{${leader}}`]: '0x120',
  [`workqueue_depth{${leader}, ${queue}}`]: '0x120',
  [`workqueue_longest_running_processor_seconds{${leader}, ${queue}}`]: '0x120',
  [`controller_runtime_reconcile_total{${leader}, controller="tenant", result="success"}`]: '7x120',
};

const unready = (state: string): string =>
  `tenantry_tenant_unready{${leader}, tenant="payments", state="${state}"}`;
const quota = (type: string, resource = 'pods'): string =>
  `tenantry_resourcequota{${leader}, tenant="payments", tenant_namespace="pay-prod", resourcequota="quota", resource="${resource}", type="${type}"}`;
const undelivered = (event: string): string =>
  `tenantry_hook_oldest_undelivered_age_seconds{${leader}, hook="cmdb", event="${event}"}`;
const ended = (outcome: string): string =>
  `tenantry_hook_attempts_total{${leader}, hook="cmdb", event="Offboarding", outcome="${outcome}"}`;

const cases: readonly (readonly [Setting, string, AlertCase])[] = [
  ['each', 'nothing of an operator that is well', { series: {}, after: '2h', alerts: [] }],
  ['together', 'nothing of an operator that is well', { series: {}, after: '2h', alerts: [] }],
  [
    'each',
    'a tenant that has drifted for a while, by its name',
    {
      series: { [unready('drifted')]: '1x120' },
      after: '16m',
      alerts: ['TenantDrifted payments drifted'],
    },
  ],
  [
    'each',
    'nothing of a drift of a moment, after which there is no series',
    { series: { [unready('drifted')]: '1x8 _x120' }, after: '16m', alerts: [] },
  ],
  [
    'together',
    'that tenants have drifted',
    {
      series: { [`tenantry_tenants{${leader}, state="drifted"}`]: '3x120' },
      after: '16m',
      alerts: ['TenantDrifted drifted'],
    },
  ],
  ...['degraded', 'progressing', 'unknown'].map(
    (state) =>
      [
        'each',
        `a tenant that is ${state} for long`,
        {
          series: { [unready(state)]: '1x120' },
          after: '31m',
          alerts: [`TenantNotReady payments ${state}`],
        },
      ] as const,
  ),
  [
    'each',
    'nothing yet of a tenant that is on its way for as long as a rollout may take',
    { series: { [unready('progressing')]: '1x120' }, after: '16m', alerts: [] },
  ],
  [
    'together',
    'that tenants are degraded',
    {
      series: { [`tenantry_tenants{${leader}, state="degraded"}`]: '1x120' },
      after: '31m',
      alerts: ['TenantNotReady degraded'],
    },
  ],
  [
    'each',
    'a quota of which nine tenths are used, and not that of which less is',
    {
      series: {
        [quota('hard')]: '10x120',
        [quota('used')]: '9x120',
        [quota('hard', 'services')]: '10x120',
        [quota('used', 'services')]: '8x120',
      },
      after: '16m',
      alerts: ['TenantQuotaNearlyUsedUp payments pay-prod pods'],
    },
  ],
  [
    'each',
    'nothing of a quota that gives nothing',
    { series: { [quota('hard')]: '0x120', [quota('used')]: '1x120' }, after: '16m', alerts: [] },
  ],
  [
    'together',
    'that tenants are short of quota',
    {
      series: { [`tenantry_tenants_short_of_quota{${leader}}`]: '2x120' },
      after: '16m',
      alerts: ['TenantQuotaNearlyUsedUp'],
    },
  ],
  [
    'each',
    'statuses of former declarations',
    {
      series: { [`tenantry_stale_statuses{${leader}}`]: '1x120' },
      after: '11m',
      alerts: ['TenantStatusStale'],
    },
  ],
  [
    'each',
    'an operator of which no replica answers',
    {
      series: { [`up{${leader}}`]: '0x120', [`up{${other}}`]: '0x120' },
      after: '6m',
      alerts: ['TenantryOperatorDown'],
    },
  ],
  [
    'each',
    'nothing of one replica that does not answer',
    { series: { [`up{${other}}`]: '0x120' }, after: '2h', alerts: [] },
  ],
  [
    'each',
    'an operator that runs and has never started its controller',
    {
      series: {
        [`tenantry_tenants{${leader}, state="ready"}`]: '_x120',
        [`tenantry_tenants{${leader}, state="drifted"}`]: '_x120',
      },
      after: '11m',
      alerts: ['TenantryOperatorStalled NotStarted'],
    },
  ],
  [
    'each',
    'a replica that starts again and again',
    {
      series: { [`process_start_time_seconds{${other}}`]: '0x10 100x5 200x5 300x5 400x200' },
      after: '33m',
      alerts: ['TenantryOperatorRestarting'],
    },
  ],
  [
    'each',
    'nothing of a replica that was rolled out twice',
    {
      series: { [`process_start_time_seconds{${other}}`]: '0x10 100x5 200x200' },
      after: '33m',
      alerts: [],
    },
  ],
  [
    'together',
    'access that somebody gave by hand',
    {
      series: { [`tenantry_undeclared_access{${leader}}`]: '2x120' },
      after: '6m',
      alerts: ['TenantUndeclaredAccess'],
    },
  ],
  [
    'each',
    'nothing of tenants of which fewer than half have gone',
    {
      series: { [`tenantry_tenants{${leader}, state="ready"}`]: '12x20 7x100' },
      after: '30m',
      alerts: [],
    },
  ],
  [
    'each',
    'nothing of tenants that another replica counts from now on',
    {
      series: {
        [`tenantry_tenants{${leader}, state="ready"}`]: '12x20 _x100',
        [`tenantry_tenants{${leader}, state="drifted"}`]: '0x20 _x100',
        [`tenantry_tenants{${other}, state="ready"}`]: '_x20 12x100',
      },
      after: '40m',
      alerts: [],
    },
  ],
  [
    'each',
    'a kind of resources that is not on the cluster is no failing watch',
    {
      series: {
        [`tenantry_watch_outage_seconds{${leader}, resource="jobs.batch", cause="absent"}`]:
          '900x120',
      },
      after: '1h',
      alerts: [],
    },
  ],
  [
    'each',
    'a queue that nobody takes from',
    {
      series: { [`workqueue_depth{${leader}, ${queue}}`]: '4x120' },
      after: '25m',
      alerts: ['TenantryOperatorStalled QueueStuck'],
    },
  ],
  [
    'each',
    'nothing of a long queue that is worked on',
    {
      series: {
        [`workqueue_depth{${leader}, ${queue}}`]: '400x120',
        [`controller_runtime_reconcile_total{${leader}, controller="tenant", result="success"}`]:
          '0+60x120',
      },
      after: '1h',
      alerts: [],
    },
  ],
  [
    'each',
    'a look at a tenant that hangs',
    {
      series: {
        [`workqueue_longest_running_processor_seconds{${leader}, ${queue}}`]: '0+60x120',
      },
      after: '13m',
      alerts: ['TenantryOperatorStalled LookHangs'],
    },
  ],
  [
    'each',
    'a hook that has not received a new tenant for a long time',
    {
      series: { [undelivered('Onboarded')]: '0+60x120' },
      after: '40m',
      alerts: ['TenantHookFailing cmdb Onboarded'],
    },
  ],
  [
    'each',
    'nothing yet of a hook that fails for a while',
    { series: { [undelivered('Onboarded')]: '0+60x120' }, after: '30m', alerts: [] },
  ],
  [
    'together',
    'a deletion that waits for a hook',
    {
      series: { [undelivered('Offboarding')]: '0+60x120' },
      after: '25m',
      alerts: ['TenantDeletionWaitsForHook cmdb Offboarding'],
    },
  ],
  [
    'each',
    'no alert for tenants that a hook receives one after the other, each soon',
    {
      series: { [undelivered('Onboarded')]: '40x120', [undelivered('Offboarding')]: '90x120' },
      after: '2h',
      alerts: [],
    },
  ],
  [
    'each',
    'a hook that was given up, for an hour',
    {
      series: { [ended('abandoned')]: '0x9 1x200', [ended('failed')]: '0+1x200' },
      after: '20m',
      alerts: ['TenantHookGivenUp cmdb Offboarding'],
    },
  ],
  [
    'each',
    'nothing of one that was given up before',
    {
      series: { [ended('abandoned')]: '0x9 1x200', [ended('failed')]: '0+1x200' },
      after: '75m',
      alerts: [],
    },
  ],
];

function withFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-alerts-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeRules(folder: string, groups: readonly object[]): string {
  const file = join(folder, 'rules.yaml');
  writeFileSync(file, emitYaml([{ groups }]));
  return file;
}

/** Rules without annotations, which promtool would compare word for word. */
function bare(setting: Setting): readonly object[] {
  return buildAlertRules(settings[setting]).map(({ name, rules }) => ({
    name,
    rules: rules.map((rule) => ({ ...rule, annotations: {} })),
  }));
}

ofPromtool.each(Object.keys(settings) as Setting[])('Prometheus takes the rules: %s', (setting) => {
  withFolder((folder) => {
    const file = writeRules(folder, buildAlertRules(settings[setting]));
    const answer = run!('check', 'rules', '--lint=all', '--lint-fatal', file);
    expect(answer).toEqual({ isOk: true, output: expect.stringContaining('25 rules found') });
  });
});

const names = [
  ...new Set(buildAlertRules(defaults).flatMap(({ rules }) => rules.map((r) => r.alert))),
];

/** Expects each listed alert as often as it is listed, and no others. */
function expectedOf({ alerts, after }: AlertCase, setting: Setting): readonly object[] {
  const rules = buildAlertRules(settings[setting]).flatMap((group) => group.rules);
  return names.map((alertname) => ({
    eval_time: after,
    alertname,
    exp_alerts: alerts
      .map((one) => one.split(' '))
      .filter(([name]) => name === alertname)
      .map(([, ...values]) => labelsOf(alertname, values, rules)),
  }));
}

/**
 * Returns all labels of an alert: a case lists only those that distinguish alerts, and the rule has the
 * others.
 */
function labelsOf(
  alertname: string,
  values: readonly string[],
  rules: readonly { readonly alert: string; readonly labels: { readonly severity: string } }[],
): object {
  const { severity } = rules.find(({ alert }) => alert === alertname)!.labels;
  const target: Record<string, string> = { job: 'tenantry-operator', namespace: 'tenantry-system' };
  const labels = { severity, ...target };
  const [first = '', second = '', third = ''] = values;
  switch (alertname) {
    case 'TenantryOperatorDown':
      return { exp_labels: { severity } };
    case 'TenantryOperatorStalled': {
      const own = first === 'NotStarted' ? {} : { controller: 'tenant' };
      return { exp_labels: { ...labels, ...own, cause: first } };
    }
    case 'TenantQuotaNearlyUsedUp': {
      const of = {
        tenant: first,
        tenant_namespace: second,
        resource: third,
        resourcequota: 'quota',
      };
      return { exp_labels: { ...labels, ...(first !== '' && of) } };
    }
    case 'TenantHookFailing':
    case 'TenantDeletionWaitsForHook':
      return { exp_labels: { ...labels, hook: first, event: second } };
    case 'TenantHookGivenUp':
      return { exp_labels: { ...labels, hook: first, event: second, outcome: 'abandoned' } };
    case 'TenantryOperatorRestarting':
      return {
        exp_labels: { ...labels, pod: 'two', instance: '10.0.0.2:8080' },
      };
    case 'TenantDrifted':
    case 'TenantNotReady':
      return {
        exp_labels: {
          ...labels,
          ...(second === '' ? { state: first } : { tenant: first, state: second }),
        },
      };
    default:
      return { exp_labels: labels };
  }
}

ofPromtool.each(cases)("with tenant series '%s': %s", (setting, _, alertCase) => {
  withFolder((folder) => {
    writeRules(folder, bare(setting));
    const series = Object.entries({ ...well, ...alertCase.series });
    const file = join(folder, 'test.yaml');
    const one = {
      name: 'alerts',
      interval: '1m',
      input_series: series.map(([name, values]) => ({ series: name, values })),
      alert_rule_test: expectedOf(alertCase, setting),
    };
    writeFileSync(
      file,
      JSON.stringify({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: [one] }),
    );
    expect(run!('test', 'rules', file)).toEqual({
      isOk: true,
      output: expect.stringContaining('SUCCESS'),
    });
  });
});

test('each alert describes its subject, and links to its runbook', () => {
  for (const setting of Object.values(settings)) {
    for (const { rules } of buildAlertRules({
      ...setting,
      runbook: 'https://handbook.example.com/x',
    })) {
      for (const { alert, annotations } of rules) {
        expect(annotations.runbook_url).toBe(
          `https://handbook.example.com/x#${alert.toLowerCase()}`,
        );
        expect(annotations.summary).toMatch(/^.{10,120}\.$/);
        expect(annotations.description).toMatch(/^.{20,300}\.$/);
      }
    }
  }
});

test('without a runbook address, alerts have no link', () => {
  const { operatorMonitoring } = resolvePlatform();
  const links = buildAlertRules(operatorMonitoring).flatMap(({ rules }) =>
    rules.map(({ annotations }) => annotations.runbook_url),
  );
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => link !== undefined)).toEqual([]);
});
