import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Platform } from '../declaration.ts';
import { type Concern } from '../ownership.ts';
import { resolvePlatform } from '../platform.ts';
import { policies } from '../policies/policies.ts';
import { buildTenantUserPolicy } from '../policies/policy.ts';

/** The options of a policy. */
export interface TenantPolicyProps {
  /** The subject of the policy. */
  readonly concern: Concern;
  /** The platform whose identities are exempt. @default the platform of an empty tenantry.yaml */
  readonly platform?: Platform;
}

/**
 * A ValidatingAdmissionPolicy with its binding, about what a tenant's users do in its namespaces with the rights of
 * Kubernetes' own roles: what they may grant, open and take. It applies to every namespace with the label of a tenant
 * whose class does not disable it, and to every requester that is not exempt. It reads what the class and the tenant
 * allow from the annotations of the Namespace. It needs Kubernetes 1.31, which added address blocks to CEL.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App, fleetOf, TenantPolicy } from 'tenantry';
 *
 * const app = new App();
 * const { platform } = fleetOf(app);
 * new TenantPolicy(new Chart(app, 'tokens'), 'policy', { concern: 'tokens', platform });
 * app.synth();
 * ```
 */
export class TenantPolicy extends Construct {
  constructor(scope: Construct, id: string, { concern, platform }: TenantPolicyProps) {
    super(scope, id);
    const [policy, binding] = buildTenantUserPolicy(
      policies[concern],
      platform ?? resolvePlatform(),
    );
    new ApiObject(this, 'policy', policy);
    new ApiObject(this, 'binding', binding);
  }
}
