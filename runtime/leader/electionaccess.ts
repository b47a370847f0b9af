import { leaseElectionAccess, type AccessRule, type LeaseName } from '../../kube/access.ts';
import { allow } from '../access/grant.ts';
import { Pod } from '../kinds/core.ts';

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
