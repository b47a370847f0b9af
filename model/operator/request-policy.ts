import type { KubeObject } from '@tenantry/kube/object';
import { accessRequest } from '../../crds/access-request.ts';
import { REQUESTABLE } from '../objects/break-glass.ts';
import { buildDenyingPolicy } from '../policies/policy.ts';

/** The name of the policy and of its binding. */
export const REQUEST_POLICY = 'access-requests.tenantry.dev';

const { group, plural } = accessRequest;

/** Who may create which request. */
const validations = [
  {
    expression: "request.operation != 'CREATE' || object.spec.user == request.userInfo.username",
    messageExpression:
      "'spec.user must be the name of the requester (' + request.userInfo.username + '), got ' + object.spec.user",
    reason: 'Forbidden',
  },
  {
    expression:
      "request.operation != 'CREATE' || !has(object.spec.group) || object.spec.group in request.userInfo.groups",
    messageExpression:
      "'spec.group must be a group of ' + request.userInfo.username + ', got ' + object.spec.group",
    reason: 'Forbidden',
  },
  {
    expression: `request.operation != 'CREATE' || authorizer.group('${group}').resource('${REQUESTABLE.resource}').namespace(request.namespace).name(object.spec.clusterRole).check('${REQUESTABLE.verb}').allowed()`,
    messageExpression:
      "'spec.clusterRole must be a ClusterRole that access.breakGlass of the tenant lets ' + request.userInfo.username + ' request, got ' + object.spec.clusterRole",
    reason: 'Forbidden',
  },
  {
    // An owner would delete the record of who had access.
    expression: '!has(object.metadata.ownerReferences)',
    message: 'an AccessRequest must not have owners',
    reason: 'Forbidden',
  },
];

/**
 * Builds the ValidatingAdmissionPolicy of AccessRequests, and its binding. The operator grants a request to the user
 * that it names, by the group that it names. So nobody may name somebody else, or a group of others. Kubernetes stores
 * no requester of an object. It exempts nobody: an
 * administrator needs no grant, and a restored backup must not renew one.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function buildRequestPolicy(): Readonly<
  Record<'request-policy' | 'request-policy-binding', KubeObject>
> {
  const [policy, binding] = buildDenyingPolicy(REQUEST_POLICY, {
    matchConstraints: {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [
        {
          apiGroups: [group],
          apiVersions: ['*'],
          operations: ['CREATE', 'UPDATE'],
          resources: [plural],
          scope: 'Namespaced',
        },
      ],
    },
    validations,
  });
  return { 'request-policy': policy, 'request-policy-binding': binding };
}
