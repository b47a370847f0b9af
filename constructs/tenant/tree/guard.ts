import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Platform } from '../declaration.ts';
import { resolvePlatform } from '../platform.ts';
import { buildGuardPolicy } from '../policies/guard.ts';

/** The options of a guard. */
export interface TenantGuardProps {
  /** The platform whose identities are exempt. @default the platform of an empty tenantry.yaml */
  readonly platform?: Platform;
}

/**
 * A ValidatingAdmissionPolicy with its binding: only the platform creates, changes or deletes an object with the label
 * of a tenant. The selector is evaluated for the old and for the new object, so the label can neither be removed first
 * nor be added. The subresources by which a namespace could escape it (status, finalize) are covered too.
 *
 * Objects that a tenant's users create themselves have no such label: see `TenantPolicy`.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App, TenantGuard } from 'tenantry';
 *
 * const app = new App();
 * new TenantGuard(new Chart(app, 'guard'), 'guard');
 * app.synth();
 * ```
 */
export class TenantGuard extends Construct {
  constructor(scope: Construct, id: string, props: TenantGuardProps = {}) {
    super(scope, id);
    const [policy, binding] = buildGuardPolicy(props.platform ?? resolvePlatform());
    new ApiObject(this, 'policy', policy);
    new ApiObject(this, 'binding', binding);
  }
}
