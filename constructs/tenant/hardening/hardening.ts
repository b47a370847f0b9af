import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { buildHardeningPolicies } from './objects.ts';

/** The options of the hardening policies. */
export interface TenantHardeningProps {
  /** The Kubernetes minor of the cluster, such as '1.36'. @default - one that serves no MutatingAdmissionPolicy */
  readonly kubernetesVersion?: string;
}

/**
 * The admission policies behind `hardening` of a class. They are the same for all tenants, and apply only to Namespaces
 * with the label of their promise.
 *
 * They exempt nobody, as Pod Security does not. What a tenant wants arrives as a request of Argo CD, or of the
 * controller that creates pods of a Deployment and claims of a StatefulSet.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App, TenantHardening } from 'tenantry';
 *
 * const app = new App();
 * new TenantHardening(new Chart(app, 'hardening'), 'hardening', { kubernetesVersion: '1.36' });
 * app.synth();
 * ```
 */
export class TenantHardening extends Construct {
  constructor(scope: Construct, id: string, props: TenantHardeningProps = {}) {
    super(scope, id);
    for (const object of buildHardeningPolicies(props.kubernetesVersion))
      new ApiObject(this, `${object.kind}:${object.metadata.name}`, object);
  }
}
