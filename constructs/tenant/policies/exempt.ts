import type { Platform } from '../declaration.ts';
import { celList } from './cel.ts';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** Kubernetes' own controllers that count, collect and delete. */
const controllers = {
  users: ['system:apiserver', 'system:kube-controller-manager', 'system:kube-scheduler'],
  groups: ['system:serviceaccounts:kube-system'],
};
/** Kubelets, which create the mirrors of static pods and request the tokens of pods. */
const nodes = ['system:nodes'];

/**
 * Builds the conditions that exempt the same requesters from all admission policies of Tenantry: cluster
 * administrators, Kubernetes itself, Argo CD, the operator, and the identities that the platform names. The API server
 * evaluates conditions before the rest of a policy, so an error in an expression blocks none of these.
 * @param options.controllers whether Kubernetes' controllers are exempt too. Default: true
 */
export function buildExemptions(
  { argocdNamespace, argocdServiceAccounts, operatorNamespace, identities }: Platform,
  options: { readonly controllers?: boolean } = {},
): MatchCondition[] {
  const kubernetes = options.controllers === false ? { users: [], groups: [] } : controllers;
  const users = [
    ...kubernetes.users,
    ...argocdServiceAccounts.map((name) => `system:serviceaccount:${argocdNamespace}:${name}`),
    `system:serviceaccount:${operatorNamespace}:tenantry-operator`,
    ...identities.users,
  ];
  const groups = [...nodes, ...kubernetes.groups, ...identities.groups];
  return [
    {
      name: 'not-an-administrator',
      // Exempts those who may do anything anyway: an administrator must be able to repair the cluster.
      expression: "!authorizer.group('*').resource('*').check('*').allowed()",
    },
    {
      name: 'not-an-exempt-identity',
      expression: `!(request.userInfo.username in ${celList(users)}) && !request.userInfo.groups.exists(group, group in ${celList(groups)})`,
    },
  ];
}
