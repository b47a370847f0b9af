import { errorAt, type Finding } from '../../../kube/finding.ts';
import { show, type Path } from '../../../kube/problem.ts';
import type { PlatformSpec } from '../../../crds/tenantry/platform.ts';

/**
 * Validates that the accounts as which Argo CD syncs for tenants are not among the exempt identities, so that admission
 * policies apply to them.
 */
export function validateImpersonation({ argocd, operator, identities }: PlatformSpec): Finding[] {
  if (argocd?.impersonation !== 'Enabled') return [];
  const namespace = operator?.namespace ?? 'tenantry-system';
  const { users = [], groups = [] } = identities ?? {};
  const isTheirs = (group: string): boolean =>
    ['system:serviceaccounts', `system:serviceaccounts:${namespace}`].includes(group) ||
    group === 'system:authenticated';
  const isOne = (user: string): boolean =>
    user.startsWith(`system:serviceaccount:${namespace}:sync.`);
  return [
    ...listRefusedNames(users, isOne, ['spec', 'identities', 'users']),
    ...listRefusedNames(groups, isTheirs, ['spec', 'identities', 'groups']),
  ];
}

function listRefusedNames(
  names: readonly string[],
  isRefused: (name: string) => boolean,
  at: Path,
) {
  return names.flatMap((name, i) => {
    if (!isRefused(name)) return [];
    const message = `must leave out the accounts as which Argo CD syncs for tenants, whom the policies would let through, got ${show(name)}`;
    return [errorAt([...at, i], message, 'argocd-impersonation')];
  });
}
