import {
  anyIncrease,
  job,
  maxAcrossReplicas,
  anyAboveZero,
  type AlertDefinition,
} from './alert-rule.ts';

/** The number of tenants in any state. */
const tenants = `sum without (state) (${maxAcrossReplicas(`tenantry_tenants{${job}}`)})`;

/** The kinds without which no tenant can be compared. The platform cannot choose to leave one of them out. */
const required = 'tenants.tenantry.dev|tenantclasses.tenantry.dev';

/** The alerts for an operator that cannot report, or cannot observe. */
export const reportingAlerts: readonly AlertDefinition[] = [
  {
    alert: 'TenantryStatusRefused',
    expr: anyAboveZero('tenantry_statuses_refused'),
    for: '10m',
    severity: 'critical',
    summary: 'The status of {{ $value }} tenants cannot be written.',
    description:
      'For 10 minutes the API server has refused the status of {{ $value }} tenants: what it says is old. A right on tenants/status is missing, a policy or a webhook denies it, or the definition is another one.',
  },
  {
    alert: 'TenantryTenantsNotCompared',
    expr: anyAboveZero('tenantry_tenants_not_compared'),
    for: '10m',
    severity: 'critical',
    summary: '{{ $value }} tenants cannot be compared.',
    description:
      'For 10 minutes {{ $value }} tenants could not be compared with the cluster: nobody knows whether what isolates them is there. Their condition Ready is Unknown and says why.',
  },
  {
    alert: 'TenantryWatchFailing',
    expr: `${maxAcrossReplicas(`(tenantry_watch_outage_seconds{${job}, cause!="absent"} or tenantry_watch_outage_seconds{${job}, resource=~"${required}"})`, 'cause')} > 120`,
    for: '2m',
    severity: 'critical',
    summary: 'The tenant operator cannot read {{ $labels.resource }}.',
    description:
      'Lists or watches of {{ $labels.resource }} have failed for {{ $value | humanizeDuration }}: what happens to them is not seen. The log of the operator has the errors.',
  },
  {
    alert: 'TenantryBreakGlassOverdue',
    expr: anyAboveZero('tenantry_break_glass_overdue'),
    for: '2m',
    severity: 'critical',
    summary: '{{ $value }} grants of requested access have not ended on time.',
    description:
      'For 2 minutes {{ $value }} RoleBindings of requested access have existed after their end. Somebody has access who must not. The condition Granted of the AccessRequests has the reason NotEnded and the error.',
  },
  {
    alert: 'TenantryBreakGlassUsed',
    expr: anyAboveZero('tenantry_break_glass_grants'),
    for: '0m',
    severity: 'info',
    summary: '{{ $value }} grants of requested access exist.',
    description:
      'Somebody has requested access for some hours, and has it. `kubectl get accessrequests -A` lists who, what and why.',
  },
  {
    alert: 'TenantryReconcileErrors',
    expr: anyIncrease('controller_runtime_reconcile_errors_total'),
    for: '15m',
    severity: 'warning',
    summary: 'Reconciles of the controller {{ $labels.controller }} fail.',
    description:
      'For 15 minutes reconciles of the controller {{ $labels.controller }} have failed. The log of the operator has a line `the reconcile failed` for each, with the error.',
  },
  {
    alert: 'TenantryInternalErrors',
    expr: `${['tenantry_controller_handler_errors_total', 'tenantry_cache_errors_total', 'tenantry_unhandled_rejections_total'].map((counter) => `(${anyIncrease(counter, 'controller', 'resource')})`).join(' or ')}`,
    for: '1m',
    severity: 'warning',
    summary: 'The tenant operator has met an error of its own.',
    description:
      'A part of the operator threw where nothing should. An object may not have been seen; the log of the operator has the error. Report it.',
  },
  {
    alert: 'TenantryObjectsNotRead',
    expr: anyAboveZero('tenantry_objects_not_read'),
    for: '15m',
    severity: 'warning',
    summary: '{{ $value }} objects that differ cannot be read.',
    description:
      'For 15 minutes {{ $value }} objects of tenants that differ, or that nobody declared, could not be read: in which fields, and who wrote them, is not known.',
  },
  {
    alert: 'TenantryObjectsUnreadable',
    expr: anyAboveZero('tenantry_cache_unreadable_objects'),
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} {{ $labels.resource }} cannot be read.',
    description:
      'For 10 minutes {{ $value }} {{ $labels.resource }} have been nested too deep for the operator to read: what changed in them since is not seen. The log of the operator names them.',
  },
  {
    alert: 'TenantryObjectsNotCompared',
    expr: anyAboveZero('tenantry_objects_not_compared'),
    for: '1h',
    severity: 'info',
    summary: '{{ $value }} declared objects are not compared.',
    description:
      'For an hour {{ $value }} declared objects have not been compared: the platform does not name their kinds, they are not on the cluster, or the operator may not read them. `status.notCompared` says which.',
  },
  {
    alert: 'TenantryEventsLost',
    expr: anyIncrease('tenantry_events_lost_total', 'cause'),
    for: '15m',
    severity: 'info',
    summary: 'Events of the tenant operator are lost.',
    description:
      'For 15 minutes events of the operator could not be written. Statuses and metrics have what they say; the log of the operator has the cause.',
  },
  {
    alert: 'TenantryTenantsVanished',
    expr: `${tenants} <= 0.5 * max_over_time((${tenants})[1h:1m])`,
    for: '5m',
    severity: 'critical',
    summary: 'Half of the tenants, or more, are gone within an hour.',
    description:
      'The operator sees {{ $value }} Tenants, half of what it saw within the last hour or fewer. Somebody has deleted them, or their definition. Nobody reports on what they isolated.',
  },
  {
    alert: 'TenantryOperatorRestarting',
    expr: `changes(process_start_time_seconds{${job}}[30m]) > 3`,
    for: '1m',
    severity: 'warning',
    summary: 'A replica of the tenant operator starts again and again.',
    description:
      'The replica {{ $labels.pod }} has started {{ $value }} times in half an hour. The message of its pod says why it ended.',
  },
];
