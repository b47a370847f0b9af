import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Platform } from '../declaration.ts';
import { resolvePlatform } from '../platform.ts';
import { buildReservedKeysPolicy } from '../policies/reserved-keys.ts';

/** The options of the policy. */
export interface TenantReservedKeysProps {
  /** @default the platform of an empty tenantry.yaml */
  readonly platform?: Platform;
  /** The name of the cluster that it is for. @default - all clusters of the platform */
  readonly cluster?: string;
}

/**
 * A ValidatingAdmissionPolicy with its binding: in the namespaces of tenants nobody sets the labels and annotations by
 * which Argo CD treats an object as part of an Application, and those of Tenantry. Without it, a user of one tenant
 * could keep the Application of another from syncing.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App, TenantReservedKeys } from 'tenantry';
 *
 * const app = new App();
 * new TenantReservedKeys(new Chart(app, 'reserved-keys'), 'policy');
 * app.synth();
 * ```
 */
export class TenantReservedKeys extends Construct {
  constructor(scope: Construct, id: string, props: TenantReservedKeysProps = {}) {
    super(scope, id);
    const [policy, binding] = buildReservedKeysPolicy(
      props.platform ?? resolvePlatform(),
      props.cluster,
    );
    new ApiObject(this, 'policy', policy);
    new ApiObject(this, 'binding', binding);
  }
}
