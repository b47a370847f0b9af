import type { KubeObject } from '@tenantry/kube/object';
import type { Platform } from '../declaration.ts';
import { TENANT_LABEL, ADOPT_BY_LABEL } from '../ownership.ts';
import { buildDenyingPolicy, buildExemptions } from './policy.ts';
import { celList } from './cel.ts';

/** The name of the guard and of its binding. */
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

/** The name of the adoption policy and of its binding. */
export const ADOPTION_NAME = 'tenant-adoption.tenantry.dev';

/** Returns CEL for a label of an object; '' if the label or the object is absent. */
const label = (object: string, key: string): string =>
  `(${object} == null ? '' : ${object}.metadata.?labels[?'${key}'].orValue(''))`;

/**
 * Builds the policy that keeps the owner of a Namespace. An existing Namespace without a tenant can be adopted only if
 * an administrator has released it. Objects of a tenant can be created only in its own namespaces. The policy exempts
 * nobody, because the request that would adopt a namespace is Argo CD's, which may do everything.
 *
 * See docs/adr/0095-existing-namespaces-are-released-first.md.
 */
export function buildAdoptionPolicy(
  platform: Platform,
): readonly [policy: KubeObject, binding: KubeObject] {
  return buildDenyingPolicy(ADOPTION_NAME, buildAdoptionSpec(platform));
}

function buildAdoptionSpec({
  argocdNamespace,
  releasedNamespaces,
}: Platform): Readonly<Record<string, unknown>> {
  return {
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: { matchExpressions: [{ key: TENANT_LABEL, operator: 'Exists' }] },
      resourceRules: [
        {
          apiGroups: ['*'],
          apiVersions: ['*'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['*', 'namespaces/status', 'namespaces/finalize'],
          scope: '*',
        },
      ],
    },
    matchConditions: [
      {
        // The guard decides on Namespaces that keep their owner, and on those that lose the label.
        name: 'becomes-a-tenants',
        expression: `${label('object', TENANT_LABEL)} != '' && ${label('object', TENANT_LABEL)} != ${label('oldObject', TENANT_LABEL)}`,
      },
    ],
    variables: [
      { name: 'tenant', expression: label('object', TENANT_LABEL) },
      {
        name: 'isNamespace',
        expression: "request.kind.group == '' && request.kind.kind == 'Namespace'",
      },
      {
        name: 'isReleased',
        expression: `${label('oldObject', ADOPT_BY_LABEL)} == variables.tenant || (${label('oldObject', TENANT_LABEL)} == '' && request.name in ${celList(releasedNamespaces)})`,
      },
      // The API server treats each request about a Namespace as one in that Namespace.
      { name: 'home', expression: label('namespaceObject', TENANT_LABEL) },
    ],
    validations: [
      {
        expression:
          "!variables.isNamespace || request.operation == 'CREATE' || variables.isReleased",
        messageExpression: `'namespace ' + request.name + ' exists and is ' + (${label('oldObject', TENANT_LABEL)} == '' ? 'no tenant\\'s' : 'tenant ' + ${label('oldObject', TENANT_LABEL)} + '\\'s') + ': release it to tenant ' + variables.tenant + ' with the label ${ADOPT_BY_LABEL}=' + variables.tenant + ', or by releasedNamespaces of the platform'`,
        reason: 'Forbidden',
      },
      {
        expression: `variables.isNamespace || request.namespace in ['', '${argocdNamespace}'] || variables.home == variables.tenant`,
        messageExpression:
          "'an object of tenant ' + variables.tenant + ' must be in a namespace of the tenant, got ' + request.namespace + ', which is ' + (variables.home == '' ? 'no tenant\\'s' : 'tenant ' + variables.home + '\\'s')",
        reason: 'Forbidden',
      },
    ],
  };
}
