import type { KubeObject } from '../../../kube/object.ts';
import type { Platform } from '../declaration.ts';
import { ADOPT_BY_LABEL, TENANT_LABEL } from '../ownership.ts';
import { celList } from './cel.ts';
import { buildDenyingPolicy } from './denying-policy.ts';

/** The name of the policy and of its binding. */
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
