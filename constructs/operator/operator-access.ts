import { Construct } from 'constructs';
import type { Fleet } from '../tenant/fleet.ts';
import { resolvePlatform } from '../tenant/platform.ts';
import { addLazyObjects } from './add-late.ts';
import { buildOperatorObjects } from './operator-objects.ts';

/** Where the operator runs, and what it does. */
export interface OperatorAccessProps {
  /** @default - the operator's, as the fleet's platform names it; without a fleet tenantry-system */
  readonly namespace?: string;
  /**
   * Whose platform says what the operator does about differences (`operator.driftPolicy`), and whose classes
   * which ClusterRoles it may bind then; those that are added later too.
   * @default - it observes
   */
  readonly fleet?: Fleet;
}

/**
 * The operator's namespace, ServiceAccount and rights: it reads what tenants consist of and writes
 * only the status of Tenants, Events, and the Lease by which one of its replicas leads. It can
 * neither read Secrets nor change anything of a tenant. Where the fleet's platform says `Create` or `Heal`, it
 * has the rights for that, and a ValidatingAdmissionPolicy holds them to the namespaces of tenants.
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
