import type { KubeObject } from '../../../kube/object.ts';
import { addTenantryLabels } from '../../own-object.ts';
import type { Platform } from '../../tenant/declaration.ts';
import { OPERATOR } from '../access.ts';
import { buildAlertRules } from './alerts.ts';
import { buildDashboard, formatDashboard } from './dashboard.ts';

/** What Prometheus and Grafana get of the operator, see `OperatorMonitoring`; each by its id as a construct. */
export function buildMonitoringObjects(platform: Platform): Readonly<Record<string, KubeObject>> {
  const { operatorMonitoring: monitoring, operatorNamespace: namespace, kinds } = platform;
  const metadata = { name: OPERATOR, namespace };
  const { image, hooks = [] } = platform.declared.operator ?? {};
  // An operator that does not run would be told as one that is down.
  if (image === undefined) return {};
  const hasHooks = hooks.length > 0;
  return {
    ...(kinds.has('monitoring.coreos.com/PrometheusRule') && {
      rules: addTenantryLabels({
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PrometheusRule',
        metadata: { ...metadata, labels: monitoring.labels },
        spec: { groups: buildAlertRules(monitoring, hasHooks) },
      }),
    }),
    ...(monitoring.dashboard && {
      dashboard: addTenantryLabels({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace, name: `${OPERATOR}-dashboard`, labels: { grafana_dashboard: '1' } },
        data: { 'tenantry.json': formatDashboard(buildDashboard(monitoring, hasHooks)) },
      }),
    }),
  };
}
