import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Platform } from '../../tenant/declaration.ts';
import { resolvePlatform } from '../../tenant/platform.ts';
import { buildMonitoringObjects } from './objects.ts';

/** Whose operator it is. */
export interface OperatorMonitoringObjectsProps {
  /** @default resolvePlatform() */
  readonly platform?: Platform;
}

/**
 * What Prometheus and Grafana get of the operator: a PrometheusRule (`rules`) where the platform's `kinds` or
 * `crdFiles` have that kind, and a dashboard in a ConfigMap (`dashboard`) where `operator.monitoring.dashboard`
 * is true.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App, OperatorMonitoringObjects, resolvePlatform } from 'tenantry';
 *
 * const app = new App();
 * const chart = new Chart(app, 'monitoring');
 * const platform = resolvePlatform({ operator: { monitoring: { dashboard: true } } });
 * new OperatorMonitoringObjects(chart, 'monitoring', { platform });
 * app.synth();
 * ```
 */
export class OperatorMonitoringObjects extends Construct {
  constructor(scope: Construct, id: string, props: OperatorMonitoringObjectsProps = {}) {
    super(scope, id);
    const { platform = resolvePlatform() } = props;
    for (const [name, object] of Object.entries(buildMonitoringObjects(platform))) {
      new ApiObject(this, name, object);
    }
  }
}
