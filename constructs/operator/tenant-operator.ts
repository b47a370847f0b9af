import { Construct } from 'constructs';
import type { Platform } from '../tenant/declaration.ts';
import type { Fleet } from '../tenant/fleet.ts';
import { resolvePlatform } from '../tenant/platform.ts';
import { addLazyObjects } from './add-late.ts';
import { buildOperatorInstallation } from './installation.ts';

/** For which cluster the operator is. */
export interface TenantOperatorProps {
  /** @default - the fleet's, or resolvePlatform() */
  readonly platform?: Platform;
  /**
   * Whose classes say which ClusterRoles the operator may bind where it heals; those that are added later too.
   * @default - none may be bound
   */
  readonly fleet?: Fleet;
  /** One of the platform's. @default - its first */
  readonly cluster?: string;
}

/**
 * The tenant operator of a cluster: what `OperatorAccess` has, and a ConfigMap with the Platform; where the
 * platform says `operator.image`, a Deployment of two replicas that passes Pod Security `restricted`; Service, NetworkPolicy and PodDisruptionBudget; and a
 * ServiceMonitor where the platform's `kinds` or `crdFiles` have that kind.
 *
 * Each object is a child (`namespace`, `service-account`, `platform`, `deployment`, `service`,
 * `service-monitor`, `network-policy`, `disruption-budget`, `write-policy`, `write-policy-binding`, and the roles), which can be patched:
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
