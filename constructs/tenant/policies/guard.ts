import type { KubeObject } from '../../../kube/object.ts';
import type { Platform } from '../declaration.ts';
import { TENANT_LABEL } from '../ownership.ts';
import { buildDenyingPolicy } from './denying-policy.ts';
import { buildExemptions } from './exempt.ts';

/** The name of the policy and of its binding. */
export const GUARD_NAME = 'tenant-guard.tenantry.dev';

/** Builds the guard and its binding, see `TenantGuard`. */
export function buildGuardPolicy(
  platform: Platform,
): readonly [policy: KubeObject, binding: KubeObject] {
  return buildDenyingPolicy(GUARD_NAME, buildGuardSpec(platform));
}

function buildGuardSpec(platform: Platform): Readonly<Record<string, unknown>> {
  return {
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
    matchConditions: buildExemptions(platform),
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
 * Subresources by which an object of the platform could be changed. Those of custom resources are left out, because
 * their controllers report status there.
 */
const guardedSubresources = [
  'namespaces/status',
  'namespaces/finalize',
  'resourcequotas/status',
  'poddisruptionbudgets/status',
];
