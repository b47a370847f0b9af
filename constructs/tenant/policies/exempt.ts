import type { Platform } from '../declaration.ts';
import { celList } from './cel.ts';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** Kubernetes' own: the controllers that count, collect and delete. */
const controllers = {
  users: ['system:apiserver', 'system:kube-controller-manager', 'system:kube-scheduler'],
  groups: ['system:serviceaccounts:kube-system'],
};
/** Kubelets, which make the mirrors of static pods and ask for the tokens of pods. */
const nodes = ['system:nodes'];

/**
 * Whom our policies let through, said once for all of them: cluster administrators, Kubernetes
 * itself, Argo CD, the operator, and whom the platform names. Conditions are asked before anything
 * else of a policy, so a mistake in an expression stops none of these.
 * @param options.controllers whether Kubernetes' controllers are among them. Default: true
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
      // Whoever may do anything anyway: an administrator must be able to repair the cluster.
      expression: "!authorizer.group('*').resource('*').check('*').allowed()",
    },
    {
      name: 'not-an-exempt-identity',
      expression: `!(request.userInfo.username in ${celList(users)}) && !request.userInfo.groups.exists(group, group in ${celList(groups)})`,
    },
  ];
}
