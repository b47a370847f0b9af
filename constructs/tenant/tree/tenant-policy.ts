import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Platform } from '../declaration.ts';
import { type Concern } from '../ownership.ts';
import { resolvePlatform } from '../platform.ts';
import { policies } from '../policies/policies.ts';
import { buildTenantUserPolicy } from '../policies/policy.ts';

/** Which policy, and whom it lets through. */
export interface TenantPolicyProps {
  /** What the policy is about. */
  readonly concern: Concern;
  /** Whose identities are let through. @default the platform of an empty tenantry.yaml */
  readonly platform?: Platform;
}

/**
 * One ValidatingAdmissionPolicy with its binding, about what a tenant's people do in its namespaces
 * by rights that Kubernetes' own roles give them: what they may grant, open and take. It holds in
 * every namespace with the label of a tenant whose class does not disable it, for whoever is not
 * exempt, and reads what the class and the tenant allow from the Namespace (`factsOf`).
 * Needs Kubernetes 1.31, which brought blocks of addresses to CEL.
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
