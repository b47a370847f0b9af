import { Construct } from 'constructs';
import type { Platform } from '../tenant/declaration.ts';
import type { Fleet } from '../tenant/fleet.ts';
import { resolvePlatform } from '../tenant/platform.ts';
import { addLazyObjects } from './add-late.ts';
import { buildOperatorInstallation } from './installation.ts';

/** The platform and the cluster of the operator. */
export interface TenantOperatorProps {
  /** @default - the fleet's, or resolvePlatform() */
  readonly platform?: Platform;
  /**
   * The fleet whose classes list the ClusterRoles that the operator may bind when it heals. Classes
   * that are added later count too.
   * @default - none may be bound
   */
  readonly fleet?: Fleet;
  /** The name of one of the platform's clusters. @default - the first one */
  readonly cluster?: string;
}

/**
 * The tenant operator of a cluster: the objects of `OperatorAccess` and a ConfigMap with the
 * Platform. If the platform sets `operator.image`, there are also:
 *
 * - a Deployment of two replicas that passes Pod Security `restricted`;
 * - a Service, a NetworkPolicy and a PodDisruptionBudget;
 * - a ServiceMonitor, if `kinds` or `crdFiles` of the platform contain that kind.
 *
 * Each object is a child that can be patched: `namespace`, `service-account`, `platform`,
 * `deployment`, `service`, `service-monitor`, `network-policy`, `disruption-budget`,
 * `write-policy`, `write-policy-binding`, and the roles.
 *
 * @example
 * ```ts
 * import { ApiObject, Chart, JsonPatch } from 'cdk8s';
 * import { App, resolvePlatform, TenantOperator } from 'tenantry';
 *
 * const app = new App();
 * const chart = new Chart(app, 'operator');
 * const platform = resolvePlatform({
 *   clusters: [{ name: 'eu1' }],
 *   operator: { image: 'registry.example.com/platform/tenantry:0.1.0' },
 * });
 * const operator = new TenantOperator(chart, 'operator', { platform, cluster: 'eu1' });
 * const deployment = operator.node.findChild('deployment') as ApiObject;
 * deployment.addJsonPatch(JsonPatch.replace('/spec/replicas', 3));
 * app.synth();
 * ```
 *
 * @throws {Error} where the platform has no such cluster
 */
export class TenantOperator extends Construct {
  constructor(scope: Construct, id: string, props: TenantOperatorProps = {}) {
    super(scope, id);
    const { fleet } = props;
    const { platform = fleet?.platform ?? resolvePlatform() } = props;
    const { cluster = platform.clusters[0]!.name } = props;
    addLazyObjects(this, () =>
      buildOperatorInstallation(platform, cluster, fleet?.clusterRoles ?? []),
    );
  }
}
