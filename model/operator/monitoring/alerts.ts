import type { Platform } from '../../declaration.ts';
import {
  controller,
  job,
  maxAcrossReplicas,
  anyAboveZero,
  type AlertRule,
  type AlertDefinition,
} from './alert-rule.ts';
import { reportingAlerts } from './reporting-alerts.ts';

/** A named group of rules. */
interface RuleGroup {
  readonly name: string;
  readonly rules: readonly AlertRule[];
}

type Monitoring = Platform['operatorMonitoring'];
/**
 * Builds the alerting rules about the operator and its tenants.
 * @param hasHooks whether there are hooks. Default: true
 */
export function buildAlertRules(monitoring: Monitoring, hasHooks = true): readonly RuleGroup[] {
  const rules = (all: readonly AlertDefinition[]): readonly AlertRule[] =>
    all.map((definition) => buildAlertRule(definition, monitoring));
  const { tenantSeries } = monitoring;
  return [
    { name: 'tenantry-tenants', rules: rules(tenantSeries ? tenantAlerts : aggregateTenantAlerts) },
    { name: 'tenantry-operator', rules: rules([...reportingAlerts, ...operatorAlerts]) },
    ...(hasHooks ? [{ name: 'tenantry-hooks', rules: rules(hookAlerts) }] : []),
  ];
}

function buildAlertRule(definition: AlertDefinition, { runbook }: Monitoring): AlertRule {
  const { severity, cause, summary, description, ...rule } = definition;
  return {
    ...rule,
    labels: { severity, ...(cause !== undefined && { cause }) },
    annotations: {
      summary,
      description,
      ...(runbook !== undefined && { runbook_url: `${runbook}#${rule.alert.toLowerCase()}` }),
    },
  };
}

const unready = (state: string): string =>
  `${maxAcrossReplicas(`tenantry_tenant_unready{${job}, ${state}}`)} > 0`;
const quota = (type: string): string =>
  maxAcrossReplicas(`tenantry_resourcequota{${job}, type="${type}"}`, 'type');

const tenantAlerts: readonly AlertDefinition[] = [
  {
    alert: 'TenantDrifted',
    expr: unready('state="drifted"'),
    for: '15m',
    severity: 'warning',
    summary: 'Tenant {{ $labels.tenant }} is not what Git declares.',
    description:
      'Something of tenant {{ $labels.tenant }} has differed from its declaration for 15 minutes. Its status says which fields, and whose hand it was.',
  },
  {
    alert: 'TenantNotReady',
    expr: unready('state=~"degraded|progressing|unknown"'),
    for: '30m',
    severity: 'warning',
    summary: 'Tenant {{ $labels.tenant }} is {{ $labels.state }}.',
    description:
      'Tenant {{ $labels.tenant }} has been {{ $labels.state }} for 30 minutes. The reasons of its conditions say why.',
  },
  {
    alert: 'TenantUndeclaredAccess',
    expr: `${maxAcrossReplicas(`tenantry_tenant_undeclared_access{${job}}`)} > 0`,
    for: '5m',
    severity: 'warning',
    summary: 'Somebody gave access to tenant {{ $labels.tenant }} by hand.',
    description:
      '{{ $value }} objects or keys in the namespaces of tenant {{ $labels.tenant }} give access that nobody declared and that its users may not give. `status.undeclared` says which.',
  },
  {
    alert: 'TenantQuotaNearlyUsedUp',
    expr: `${quota('used')} / (${quota('hard')} > 0) >= 0.9`,
    for: '15m',
    severity: 'info',
    summary:
      'Tenant {{ $labels.tenant }} has little left of {{ $labels.resource }} in {{ $labels.tenant_namespace }}.',
    description:
      '{{ $value | humanizePercentage }} of {{ $labels.resource }} in the quota {{ $labels.resourcequota }} of namespace {{ $labels.tenant_namespace }} are used.',
  },
];

const aggregateTenantAlerts: readonly AlertDefinition[] = [
  {
    alert: 'TenantDrifted',
    expr: anyAboveZero('tenantry_tenants', `${job}, state="drifted"`),
    for: '15m',
    severity: 'warning',
    summary: '{{ $value }} tenants are not what Git declares.',
    description:
      'For 15 minutes there have been tenants of which something differs from the declaration. `kubectl get tenants` says which.',
  },
  {
    alert: 'TenantNotReady',
    expr: anyAboveZero('tenantry_tenants', `${job}, state=~"degraded|progressing|unknown"`),
    for: '30m',
    severity: 'warning',
    summary: '{{ $value }} tenants are {{ $labels.state }}.',
    description:
      'For 30 minutes there have been tenants that are {{ $labels.state }}. `kubectl get tenants` says which, and why.',
  },
  {
    alert: 'TenantUndeclaredAccess',
    expr: anyAboveZero('tenantry_undeclared_access'),
    for: '5m',
    severity: 'warning',
    summary: 'Somebody gave access to tenants by hand.',
    description:
      '{{ $value }} objects or keys in the namespaces of tenants give access that nobody declared and that their users may not give. `status.undeclared` of Tenants says which.',
  },
  {
    alert: 'TenantQuotaNearlyUsedUp',
    expr: anyAboveZero('tenantry_tenants_short_of_quota'),
    for: '15m',
    severity: 'info',
    summary: '{{ $value }} tenants have little left of a quota.',
    description:
      'Tenants have used nine tenths or more of a resource. `status.quotaPressure` of Tenants says which.',
  },
];

const queued = maxAcrossReplicas(`workqueue_depth{${controller}}`, 'name');
const reconciled = `sum without (instance, pod, container, endpoint, result) (increase(controller_runtime_reconcile_total{${controller}}[10m]))`;

const operatorAlerts: readonly AlertDefinition[] = [
  {
    alert: 'TenantStatusStale',
    expr: anyAboveZero('tenantry_stale_statuses'),
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} tenants have a status of a former declaration.',
    description:
      'For 10 minutes the status of {{ $value }} tenants has not spoken of what they are declared to be now: the operator cannot look at them, or cannot write.',
  },
  {
    alert: 'TenantryOperatorDown',
    expr: `absent(up{${job}} == 1)`,
    for: '5m',
    severity: 'critical',
    summary: 'The tenant operator is down.',
    description:
      'Prometheus has reached no replica of the tenant operator for 5 minutes. What isolates tenants holds; nobody says whether it is still there.',
  },
  {
    alert: 'TenantryOperatorStalled',
    expr: `(${maxAcrossReplicas(`up{${job}}`)} == 1) unless ${maxAcrossReplicas(`tenantry_tenants{${job}}`, 'state')}`,
    for: '10m',
    severity: 'critical',
    cause: 'NotStarted',
    summary: 'The tenant operator runs, and looks at no tenant.',
    description:
      'For 10 minutes no replica has run the tenant controller: none leads, or its caches cannot be filled, since it may not read a kind or a definition is missing.',
  },
  {
    alert: 'TenantryOperatorStalled',
    expr: `(${queued} > 0) unless (${reconciled} > 0)`,
    for: '10m',
    severity: 'critical',
    cause: 'QueueStuck',
    summary: '{{ $value }} tenants wait, and none is looked at.',
    description:
      'Tenants wait in the queue of the operator, and it has looked at none for 10 minutes.',
  },
  {
    alert: 'TenantryOperatorStalled',
    expr: `${maxAcrossReplicas(`workqueue_longest_running_processor_seconds{${controller}}`, 'name')} > 600`,
    for: '1m',
    severity: 'critical',
    cause: 'LookHangs',
    summary: 'The tenant operator does not come to an end with a tenant.',
    description:
      'It has looked at one tenant for {{ $value | humanizeDuration }}; this takes fractions of a second.',
  },
];

const undelivered = (event: string): string =>
  maxAcrossReplicas(`tenantry_hook_oldest_undelivered_age_seconds{${job}, event="${event}"}`);

const hookAlerts: readonly AlertDefinition[] = [
  {
    alert: 'TenantHookFailing',
    expr: `${undelivered('Onboarded')} > 1800`,
    for: '5m',
    severity: 'warning',
    summary: 'Hook {{ $labels.hook }} could not be told of a new tenant.',
    description:
      'For {{ $value | humanizeDuration }} there has been a tenant of which hook {{ $labels.hook }} could not be told. `status.hooks` of Tenants says why, and when it is tried again.',
  },
  {
    alert: 'TenantDeletionWaitsForHook',
    expr: `${undelivered('Offboarding')} > 900`,
    for: '5m',
    severity: 'warning',
    summary: 'The deletion of a tenant waits for hook {{ $labels.hook }}.',
    description:
      'A Tenant that is being deleted has waited for {{ $value | humanizeDuration }} for hook {{ $labels.hook }} to hear of it. It goes without, when the hook is given up.',
  },
  {
    alert: 'TenantHookGivenUp',
    expr: `sum without (instance, pod, container, endpoint) (increase(tenantry_hook_attempts_total{${job}, outcome="abandoned"}[1h])) > 0`,
    for: '1m',
    severity: 'warning',
    summary: 'A tenant is gone, and hook {{ $labels.hook }} has not heard of it.',
    description:
      'A Tenant no longer waited for hook {{ $labels.hook }}. What the hook was to do for a tenant that goes is left to somebody.',
  },
];
