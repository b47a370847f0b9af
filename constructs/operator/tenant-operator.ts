import { Construct } from 'constructs';
import type { Platform } from '../../model/declaration.ts';
import type { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import {
  buildOperatorInstallation,
  buildOperatorObjects,
} from '../../model/operator/operator-objects.ts';
import { ApiObject, Lazy } from 'cdk8s';
import type { KubeObject } from '@tenantry/kube/object';
import { buildMonitoringObjects } from '../../model/operator/monitoring/objects.ts';

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
      buildOperatorInstallation(platform, cluster, fleet?.classes.clusterRoles ?? []),
    );
  }
}

/** The namespace of the operator, and the fleet that determines its rights. */
export interface OperatorAccessProps {
  /** @default - the operator namespace of the fleet's platform; without a fleet tenantry-system */
  readonly namespace?: string;
  /**
   * The fleet that determines the rights. Its platform sets how the operator handles drift
   * (`operator.driftPolicy`). Its classes list the ClusterRoles that the operator may bind; classes
   * that are added later count too.
   * @default - the operator only observes
   */
  readonly fleet?: Fleet;
}

/**
 * The operator's namespace, ServiceAccount and rights. The operator reads what tenants consist of.
 * It writes only the status of Tenants, Events, and the Lease of its leader election. It can
 * neither read Secrets nor change any object of a tenant.
 *
 * If the drift policy of the fleet's platform is `Create` or `Heal`, the operator has the rights
 * for it. A ValidatingAdmissionPolicy then restricts these rights to the namespaces of tenants.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App, OperatorAccess } from 'tenantry';
 *
 * const app = new App();
 * const chart = new Chart(app, 'operator');
 * new OperatorAccess(chart, 'access', { namespace: 'tenantry-system' });
 * app.synth();
 * ```
 */
export class OperatorAccess extends Construct {
  constructor(scope: Construct, id: string, props: OperatorAccessProps = {}) {
    super(scope, id);
    const { namespace, fleet } = props;
    const platform = fleet?.platform ?? resolvePlatform();
    addLazyObjects(this, () =>
      buildOperatorObjects({
        platform,
        namespace,
        clusterRoles: fleet?.classes.clusterRoles ?? [],
      }),
    );
  }
}

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

/** The objects that depend on classes, which may be declared until the app is rendered. */
const lazyObjects = new Set(['cluster-role', 'write-policy']);

/** Makes a child of each object. The objects that depend on classes are computed when they are rendered. */
function addLazyObjects(
  scope: Construct,
  objects: () => Readonly<Record<string, KubeObject>>,
): void {
  for (const [id, object] of Object.entries(objects())) {
    const { apiVersion, kind, metadata, ...fields } = object;
    const lazily = Object.keys(fields).map((field) => [
      field,
      Lazy.any({ produce: () => objects()[id]![field] }) as unknown,
    ]);
    const isLate = lazyObjects.has(id);
    const content = isLate ? (Object.fromEntries(lazily) as object) : fields;
    new ApiObject(scope, id, { apiVersion, kind, metadata, ...content });
  }
}
