import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Platform } from '../declaration.ts';
import { resolvePlatform } from '../platform.ts';
import { buildGuardPolicy } from '../policies/guard.ts';

/** Whom the guard lets through. */
export interface TenantGuardProps {
  /** Whose identities are let through. @default the platform of an empty tenantry.yaml */
  readonly platform?: Platform;
}

/**
 * One ValidatingAdmissionPolicy with its binding: nobody but the platform creates, changes or
 * deletes an object that carries the label of a tenant. The selector is asked of the old and of
 * the new object, so the label can neither be stripped first nor be put on; the subresources by
 * which a namespace could be taken out of it (status, finalize) are covered too.
 *
 * What a tenant's people make themselves carries no such label: see `TenantPolicy`.
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
