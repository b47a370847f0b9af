import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Platform } from '../../model/declaration.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { buildGuardPolicy, buildAdoptionPolicy } from '../../model/policies/ownership.ts';
import type { Concern } from '../../model/ownership.ts';
import { policies } from '../../model/policies/policies.ts';
import { buildAllowListPolicies } from '../../model/policies/allow-lists.ts';
import { buildTenantUserPolicy } from '../../model/policies/policy.ts';
import { buildReservedKeysPolicy } from '../../model/policies/reserved-keys.ts';
import { buildHardeningPolicies } from '../../model/hardening/policies.ts';

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
 * import { App, getFleet, TenantPolicy } from 'tenantry';
 *
 * const app = new App();
 * const { platform } = getFleet(app);
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

/**
 * The admission policies behind the lists in `allow` of a class: which images, StorageClasses, IngressClasses and others
 * objects in the namespaces of its tenants may name. They are the same for all tenants. Each applies only to Namespaces
 * whose class has the list, and exempts nobody, as Pod Security does not.
 *
 * @example
 * ```ts
 * import { App, TenantAllowLists } from 'tenantry';
 * import { Chart } from 'cdk8s';
 *
 * const app = new App();
 * new TenantAllowLists(new Chart(app, 'allow-lists'), 'policies');
 * app.synth();
 * ```
 */
export class TenantAllowLists extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    for (const object of buildAllowListPolicies())
      new ApiObject(this, `${object.kind}:${object.metadata.name}`, object);
  }
}
