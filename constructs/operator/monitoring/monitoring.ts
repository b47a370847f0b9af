import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Platform } from '../../tenant/declaration.ts';
import { resolvePlatform } from '../../tenant/platform.ts';
import { buildMonitoringObjects } from './objects.ts';

/** The platform of the operator. */
export interface OperatorMonitoringObjectsProps {
  /** @default resolvePlatform() */
  readonly platform?: Platform;
}

/**
 * The objects for Prometheus and Grafana. There is a PrometheusRule (`rules`) if `kinds` or
 * `crdFiles` of the platform contain that kind. There is a dashboard in a ConfigMap (`dashboard`)
 * if `operator.monitoring.dashboard` is true.
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
