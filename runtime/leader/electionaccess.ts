import type { AccessRule } from '../../kube/access.ts';
import { allow } from '../access/grant.ts';
import { Lease } from '../kinds/coordination.ts';
import { Pod } from '../kinds/core.ts';
import type { LeaseName } from './leaselock.ts';

/**
 * What a `leaseElection` asks of the API server.
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
  return [
    allow(Lease, 'create').in(namespace),
    allow(Lease, 'get', 'update').named(name).in(namespace),
  ];
}

/**
 * What an `electionForLife` asks of the API server.
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
  return [...leaseElectionAccess(lease), allow(Pod, 'get').in(lease.namespace)];
}
