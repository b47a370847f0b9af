import { Construct } from 'constructs';
import type { Fleet } from '../tenant/fleet.ts';
import { resolvePlatform } from '../tenant/platform.ts';
import { addLazyObjects } from './add-late.ts';
import { buildOperatorObjects } from './operator-objects.ts';

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
      buildOperatorObjects({ platform, namespace, clusterRoles: fleet?.clusterRoles ?? [] }),
    );
  }
}
