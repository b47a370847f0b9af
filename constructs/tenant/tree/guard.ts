import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ownObject } from '../../operator/ownobject.ts';
import type { Platform } from '../declaration.ts';
import { POLICY_ANNOTATIONS, TENANT_LABEL } from '../ownership.ts';
import { resolvePlatform } from '../platform.ts';
import { exemptions } from '../policies/exempt.ts';

/** Whom the guard lets through. */
export interface TenantGuardProps {
  /** Whose identities are let through. @default the platform of an empty tenantry.yaml */
  readonly platform?: Platform;
}

/** The name of the policy and of its binding. */
export const GUARD_NAME = 'tenant-guard.tenantry.dev';

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
    const platform = props.platform ?? resolvePlatform();
    const metadata = { name: GUARD_NAME, annotations: POLICY_ANNOTATIONS };
    new ApiObject(
      this,
      'policy',
      ownObject({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata,
        spec: guardSpec(platform),
      }),
    );
    new ApiObject(
      this,
      'binding',
      ownObject({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata,
        spec: { policyName: GUARD_NAME, validationActions: ['Deny'] },
      }),
    );
  }
}

function guardSpec(platform: Platform): object {
  return {
    failurePolicy: 'Fail',
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {
        matchExpressions: [{ key: TENANT_LABEL, operator: 'Exists' }],
      },
      resourceRules: [
        {
          apiGroups: ['*'],
          apiVersions: ['*'],
          operations: ['CREATE', 'UPDATE', 'DELETE'],
          resources: ['*', ...guardedSubresources],
          scope: '*',
        },
      ],
    },
    matchConditions: exemptions(platform),
    variables: [
      {
        name: 'tenant',
        expression: `[oldObject, object].filter(o, o != null && has(o.metadata.labels) && '${TENANT_LABEL}' in o.metadata.labels)[0].metadata.labels['${TENANT_LABEL}']`,
      },
    ],
    validations: [
      {
        expression: 'false',
        messageExpression:
          "'this object belongs to the platform (tenant ' + variables.tenant + '): change the declaration of the tenant in Git instead'",
        reason: 'Forbidden',
      },
    ],
  };
}

/**
 * Subresources through which an object of the platform could be changed. Those of custom resources
 * are left out: their controllers report status there.
 */
const guardedSubresources = [
  'namespaces/status',
  'namespaces/finalize',
  'resourcequotas/status',
  'poddisruptionbudgets/status',
];
