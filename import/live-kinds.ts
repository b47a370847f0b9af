import { tenancySystems } from './systems/translate-systems.ts';
/** A kind as a cluster and messages name it. */
export interface KindName {
  /** '' is the core group. */
  readonly group: string;
  readonly kind: string;
}

/** The kinds of which tenancy consists. Workloads are not among them: they belong to the teams' own repositories. */
export const tenancyKinds: readonly KindName[] = [
  { group: '', kind: 'Namespace' },
  { group: '', kind: 'ResourceQuota' },
  { group: '', kind: 'LimitRange' },
  { group: '', kind: 'ServiceAccount' },
  { group: 'rbac.authorization.k8s.io', kind: 'Role' },
  { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' },
  { group: 'networking.k8s.io', kind: 'NetworkPolicy' },
  { group: 'policy', kind: 'PodDisruptionBudget' },
];

/**
 * Further kinds that are read from every cluster that serves them, namespaced or not, such as those by which another
 * tenancy system declares its tenants.
 */
export const systemKinds: readonly KindName[] = tenancySystems.flatMap(({ kinds }) =>
  kinds.map(({ group, kind }) => ({ group, kind })),
);

/** `NetworkPolicy.networking.k8s.io`, or `Namespace` for the core group. */
export function formatKindName({ group, kind }: KindName): string {
  return group === '' ? kind : `${kind}.${group}`;
}
