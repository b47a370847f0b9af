import { builtinResource } from '../builtin-kinds.ts';
import type { AccessRule } from './rule.ts';

/** The name and namespace of a Lease. */
export interface LeaseName {
  readonly name: string;
  readonly namespace: string;
}

/**
 * The access that `leaseElection` needs: to create a Lease, which RBAC cannot limit to a name, and to read and renew
 * its own.
 *
 * @example
 * ```ts
 * import { leaseElectionAccess, rolesOf } from 'tenantry/runtime';
 *
 * const { namespaces } = rolesOf(leaseElectionAccess({ name: 'shops', namespace: 'home' }));
 * console.log(namespaces.get('home')?.length); // 2
 * ```
 */
export function leaseElectionAccess({ name, namespace }: LeaseName): readonly AccessRule[] {
  const leases = { ...builtinResource('coordination.k8s.io', 'Lease'), namespaces: [namespace] };
  return [
    { ...leases, verbs: ['create'] },
    { ...leases, verbs: ['get', 'update'], resourceNames: [name] },
  ];
}

/**
 * The access that `electionForLife` needs. API servers with the admission plugin OwnerReferencesPermissionEnforcement
 * (such as OpenShift's) require the right to delete the Lease from anyone who changes its owner. The election never
 * deletes it.
 *
 * @example
 * ```ts
 * import { electionForLifeAccess, rolesOf } from 'tenantry/runtime';
 *
 * const { namespaces } = rolesOf(electionForLifeAccess({ name: 'shops', namespace: 'home' }));
 * console.log(namespaces.get('home')?.length); // 3
 * ```
 */
export function electionForLifeAccess(lease: LeaseName): readonly AccessRule[] {
  const { name, namespace } = lease;
  const there = { namespaces: [namespace] };
  const leases = builtinResource('coordination.k8s.io', 'Lease');
  return [
    ...leaseElectionAccess(lease),
    { ...leases, ...there, verbs: ['delete'], resourceNames: [name] },
    { ...builtinResource('', 'Pod'), ...there, verbs: ['get'] },
  ];
}
