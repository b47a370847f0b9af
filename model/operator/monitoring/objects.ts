import type { KubeObject } from '@tenantry/kube/object';
import { addTenantryLabels } from '../../ownership.ts';
import type { Platform } from '../../declaration.ts';
import { OPERATOR } from '../access.ts';
import { buildAlertRules } from './alerts.ts';
import { buildDashboard, formatDashboard } from './dashboard.ts';

/** Builds the objects for Prometheus and Grafana, by construct id. See `OperatorMonitoring`. */
export function buildMonitoringObjects(platform: Platform): Readonly<Record<string, KubeObject>> {
  const { operatorMonitoring: monitoring, operatorNamespace: namespace, kinds } = platform;
  const metadata = { name: OPERATOR, namespace };
  const { image, hooks = [] } = platform.declared.operator ?? {};
  // Without a Deployment, the alert for an operator that is down would fire.
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
