import type { Platform } from '../../declaration.ts';

/** A query, and the legend of its series. */
interface Target {
  readonly expr: string;
  readonly legendFormat?: string;
}

/** The content of a panel. */
interface PanelDefinition {
  readonly title: string;
  readonly description: string;
  readonly type: 'stat' | 'timeseries' | 'table';
  /** In columns, of 24. */
  readonly width: number;
  readonly unit: 'short' | 's' | 'percentunit' | 'bytes';
  readonly targets: readonly Target[];
}

/** A panel in the format of Grafana. */
interface Panel {
  readonly id: number;
  readonly type: PanelDefinition['type'];
  readonly title: string;
  readonly description: string;
  readonly datasource: typeof datasource;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly fieldConfig: {
    readonly defaults: { readonly unit: PanelDefinition['unit'] };
    readonly overrides: [];
  };
  readonly targets: readonly (Target & { readonly refId: string })[];
}

/** A dashboard in the format of Grafana. */
interface Dashboard {
  readonly panels: readonly Panel[];
  readonly [field: string]: unknown;
}

const datasource = { type: 'prometheus', uid: '${datasource}' } as const;
const HEIGHT = 8;
const WIDTH = 24;

const job = 'job=~"$job"';
const worst = (metric: string, labels = ''): string => `max(${metric}{${job}${labels}})`;
const byState = `max by (state) (tenantry_tenants{${job}})`;
const quantileTarget = (quantile: number, metric: string, labels = ''): Target => ({
  expr: `histogram_quantile(${quantile}, sum by (le) (rate(${metric}_bucket{${job}${labels}}[5m])))`,
  legendFormat: `p${quantile * 100}`,
});
const stat = (title: string, description: string, expr: string): PanelDefinition => ({
  title,
  description,
  type: 'stat',
  width: 4,
  unit: 'short',
  targets: [{ expr }],
});

const overview: readonly PanelDefinition[] = [
  stat('Tenants', 'All of them.', `sum(${byState})`),
  ...['ready', 'drifted', 'degraded', 'cordoned'].map((state) =>
    stat(
      `${state[0]!.toUpperCase()}${state.slice(1)}`,
      `Tenants that are ${state}.`,
      worst('tenantry_tenants', `, state="${state}"`),
    ),
  ),
  {
    ...stat(
      'Oldest drift',
      'For how long what has differed the longest has.',
      worst('tenantry_oldest_drift_age_seconds'),
    ),
    unit: 's',
  },
];

const drift: readonly PanelDefinition[] = [
  {
    title: 'Tenants by state',
    description: 'Each is counted once.',
    type: 'timeseries',
    width: 12,
    unit: 'short',
    targets: [{ expr: byState, legendFormat: '{{state}}' }],
  },
  {
    title: 'Drifted fields by kind',
    description: 'Fields that differ from what is declared; a missing object is one.',
    type: 'timeseries',
    width: 12,
    unit: 'short',
    targets: [
      { expr: `max by (kind) (tenantry_drifted_fields{${job}}) > 0`, legendFormat: '{{kind}}' },
    ],
  },
  {
    title: 'Undeclared objects and keys, and tenants short of quota',
    description:
      'Role bindings and network policies that nobody declared; quotas of which nine tenths are used.',
    type: 'timeseries',
    width: 12,
    unit: 'short',
    targets: [
      { expr: worst('tenantry_undeclared_objects'), legendFormat: 'undeclared' },
      { expr: worst('tenantry_tenants_short_of_quota'), legendFormat: 'tenants short of quota' },
      { expr: worst('tenantry_stale_statuses'), legendFormat: 'stale statuses' },
    ],
  },
  {
    title: 'From a change to the status',
    description: 'From when a watch told of a change until the status that tells it was written.',
    type: 'timeseries',
    width: 12,
    unit: 's',
    targets: [
      quantileTarget(0.5, 'tenantry_status_delay_seconds'),
      quantileTarget(0.99, 'tenantry_status_delay_seconds'),
    ],
  },
];

const tenantPanels: readonly PanelDefinition[] = [
  {
    title: 'Tenants that are not ready',
    description: 'Why, their conditions say: `kubectl get tenants`.',
    type: 'table',
    width: 12,
    unit: 'short',
    targets: [{ expr: `max by (tenant, state) (tenantry_tenant_unready{${job}})` }],
  },
  {
    title: 'Quotas of which most is used',
    description: 'By namespace and resource.',
    type: 'timeseries',
    width: 12,
    unit: 'percentunit',
    targets: [
      {
        expr: `topk(15, max by (tenant_namespace, resource) (tenantry_resourcequota{${job}, type="used"}) / (max by (tenant_namespace, resource) (tenantry_resourcequota{${job}, type="hard"}) > 0))`,
        legendFormat: '{{tenant_namespace}} {{resource}}',
      },
    ],
  },
];

const operator: readonly PanelDefinition[] = [
  {
    title: 'Looks at tenants, per second',
    description: 'By their result.',
    type: 'timeseries',
    width: 8,
    unit: 'short',
    targets: [
      {
        expr: `sum by (result) (rate(controller_runtime_reconcile_total{${job}, controller="tenant"}[5m]))`,
        legendFormat: '{{result}}',
      },
    ],
  },
  {
    title: 'Queue',
    description:
      'Tenants that wait for being looked at, and how long the one has been that takes longest.',
    type: 'timeseries',
    width: 8,
    unit: 'short',
    targets: [
      { expr: worst('workqueue_depth', ', controller="tenant"'), legendFormat: 'waiting' },
      {
        expr: worst('workqueue_longest_running_processor_seconds', ', controller="tenant"'),
        legendFormat: 'longest, seconds',
      },
    ],
  },
  {
    title: 'Requests to the API server, per second',
    description: 'By the code of the answer.',
    type: 'timeseries',
    width: 8,
    unit: 'short',
    targets: [
      {
        expr: `sum by (code) (rate(rest_client_requests_total{${job}}[5m]))`,
        legendFormat: '{{code}}',
      },
    ],
  },
  {
    title: 'Memory',
    description: 'Resident, by replica.',
    type: 'timeseries',
    width: 12,
    unit: 'bytes',
    targets: [{ expr: `process_resident_memory_bytes{${job}}`, legendFormat: '{{pod}}' }],
  },
  {
    title: 'Who leads',
    description: '1 for the replica that does.',
    type: 'timeseries',
    width: 12,
    unit: 'short',
    targets: [{ expr: `leader_election_master_status{${job}}`, legendFormat: '{{pod}}' }],
  },
];

const hooks: readonly PanelDefinition[] = [
  {
    title: 'Tenants of which hooks are still to be told',
    description: 'Tenants that are being deleted wait for those of Offboarding.',
    type: 'timeseries',
    width: 8,
    unit: 'short',
    targets: [
      {
        expr: `max by (hook, event) (tenantry_hook_undelivered{${job}})`,
        legendFormat: '{{hook}} {{event}}',
      },
    ],
  },
  {
    title: 'The longest wait for a hook',
    description: 'For how long it is to be told of what has waited the longest.',
    type: 'timeseries',
    width: 8,
    unit: 's',
    targets: [
      {
        expr: `max by (hook, event) (tenantry_hook_oldest_undelivered_age_seconds{${job}})`,
        legendFormat: '{{hook}} {{event}}',
      },
    ],
  },
  {
    title: 'Attempts at hooks, per second',
    description: 'By how they ended.',
    type: 'timeseries',
    width: 8,
    unit: 'short',
    targets: [
      {
        expr: `sum by (hook, outcome) (rate(tenantry_hook_attempts_total{${job}}[5m]))`,
        legendFormat: '{{hook}} {{outcome}}',
      },
    ],
  },
];

/**
 * Builds the dashboard of the operator. It names no Prometheus: the user selects one in the
 * dashboard.
 * @param hasHooks whether there are hooks. Default: true
 */
export function buildDashboard(
  { tenantSeries }: Platform['operatorMonitoring'],
  hasHooks = true,
): Dashboard {
  const shown = [
    ...overview,
    ...drift,
    ...(tenantSeries ? tenantPanels : []),
    ...(hasHooks ? hooks : []),
    ...operator,
  ];
  return {
    uid: 'tenantry-operator',
    title: 'Tenantry',
    tags: ['tenantry'],
    schemaVersion: 39,
    editable: false,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    timezone: '',
    templating: { list: variables },
    panels: layOutPanels(shown),
  };
}

const variables = [
  { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
  {
    name: 'job',
    label: 'Job',
    type: 'query',
    datasource,
    query: 'label_values(controller_runtime_max_concurrent_reconciles{controller="tenant"}, job)',
    refresh: 2,
    includeAll: true,
    current: { text: 'All', value: '$__all' },
  },
];

/** Formats a dashboard; the same dashboard gives the same bytes. */
export function formatDashboard(one: Dashboard): string {
  return `${JSON.stringify(one, null, 2)}\n`;
}

/** Lays out the panels in rows, from left to right. */
function layOutPanels(shown: readonly PanelDefinition[]): readonly Panel[] {
  let x = 0;
  let y = 0;
  return shown.map(({ width: w, unit, targets, ...rest }, i) => {
    if (x + w > WIDTH) {
      x = 0;
      y += HEIGHT;
    }
    const gridPos = { x, y, w, h: HEIGHT };
    x += w;
    return {
      id: i + 1,
      ...rest,
      datasource,
      gridPos,
      fieldConfig: { defaults: { unit }, overrides: [] },
      targets: targets.map((one, at) => ({ ...one, refId: String.fromCodePoint(65 + at) })),
    };
  });
}
