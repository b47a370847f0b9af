import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Platform } from '../declaration.ts';
import { resolvePlatform } from '../platform.ts';
import { buildAdoptionPolicy } from '../policies/adoption.ts';

/** The options of the adoption policy. */
export interface TenantAdoptionProps {
  /** The platform whose `releasedNamespaces` tenants may adopt. @default the platform of an empty tenantry.yaml */
  readonly platform?: Platform;
}

/**
 * A ValidatingAdmissionPolicy with its binding: tenants cannot adopt an existing namespace until an administrator
 * releases it. A namespace is released by the label `tenantry.dev/adopt-by: <tenant>`, or by `releasedNamespaces` of
 * the platform. Nobody is exempt, not even Argo CD.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App, resolvePlatform, TenantAdoption } from 'tenantry';
 *
 * const app = new App();
 * const platform = resolvePlatform({ releasedNamespaces: ['billing'] });
 * new TenantAdoption(new Chart(app, 'adoption'), 'adoption', { platform });
 * app.synth();
 * ```
 */
export class TenantAdoption extends Construct {
  constructor(scope: Construct, id: string, props: TenantAdoptionProps = {}) {
    super(scope, id);
    const [policy, binding] = buildAdoptionPolicy(props.platform ?? resolvePlatform());
    new ApiObject(this, 'policy', policy);
    new ApiObject(this, 'binding', binding);
  }
}
