import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { operatorObjects } from './operatorobjects.ts';

/** Where the operator runs. */
export interface OperatorAccessProps {
  /** @default tenantry-system */
  readonly namespace?: string;
}

/**
 * The operator's namespace, ServiceAccount and rights: it reads what tenants consist of and writes
 * only the status of Tenants, Events, and the Lease by which one of its replicas leads. It can
 * neither read Secrets nor change anything of a tenant.
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
    for (const [id, object] of Object.entries(operatorObjects(props.namespace))) {
      new ApiObject(this, id, object);
    }
  }
}
