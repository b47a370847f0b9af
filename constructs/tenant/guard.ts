import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ownObject } from '../operator/object.ts';
import type { Platform } from './declaration.ts';
import { TENANT_LABEL } from './ownership.ts';
import { resolvePlatform } from './platform.ts';

export interface TenantGuardProps {
  /** Whose identities are let through. @default the platform of an empty tenantry.yaml */
  readonly platform?: Platform;
}

/** The name of the policy and of its binding. */
export const GUARD_NAME = 'tenant-guard.tenantry.dev';

/** Kubernetes' own: the controllers that count, collect and delete. */
const kubernetes = {
  users: ['system:apiserver', 'system:kube-controller-manager', 'system:kube-scheduler'],
  groups: ['system:nodes', 'system:serviceaccounts:kube-system'],
};

/**
 * One ValidatingAdmissionPolicy with its binding: nobody but the platform creates, changes or
 * deletes an object that carries the label of a tenant. The selector is asked of the old and of
 * the new object, so the label can neither be stripped first nor be put on; the subresources by
 * which a namespace could be taken out of it (status, finalize) are covered too.
 *
 * What a tenant's people make themselves carries no such label and stays theirs.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export class TenantGuard extends Construct {
  constructor(scope: Construct, id: string, props: TenantGuardProps = {}) {
    super(scope, id);
    const platform = props.platform ?? resolvePlatform();
    const users = [
      ...kubernetes.users,
      `system:serviceaccount:${platform.argocdNamespace}:argocd-application-controller`,
      `system:serviceaccount:${platform.operatorNamespace}:tenantry-operator`,
      ...platform.identities.users,
    ];
    const groups = [...kubernetes.groups, ...platform.identities.groups];
    new ApiObject(
      this,
      'policy',
      ownObject({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: GUARD_NAME },
        spec: {
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
          matchConditions: [
            {
              name: 'not-an-administrator',
              // Whoever may do anything anyway: an administrator must be able to repair the cluster.
              expression: "!authorizer.group('*').resource('*').check('*').allowed()",
            },
            {
              name: 'not-an-exempt-identity',
              expression: `!(request.userInfo.username in ${cel(users)}) && !request.userInfo.groups.exists(group, group in ${cel(groups)})`,
            },
          ],
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
        },
      }),
    );
    new ApiObject(
      this,
      'binding',
      ownObject({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: GUARD_NAME },
        spec: { policyName: GUARD_NAME, validationActions: ['Deny'] },
      }),
    );
  }
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

/** A list of strings in CEL. JSON's string escapes are CEL's. */
function cel(values: readonly string[]): string {
  return JSON.stringify([...new Set(values)]);
}
