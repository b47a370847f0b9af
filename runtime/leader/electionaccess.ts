import { leaseElectionAccess, type AccessRule, type LeaseName } from '../../kube/access.ts';
import { allow } from '../access/grant.ts';
import { Lease } from '../kinds/coordination.ts';
import { Pod } from '../kinds/core.ts';

/**
 * What an `electionForLife` asks of the API server. To delete its Lease is what API servers with the
 * admission plugin OwnerReferencesPermissionEnforcement (OpenShift's, for one) ask of whoever changes its owner;
 * it never does.
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
  return [
    ...leaseElectionAccess(lease),
    allow(Lease, 'delete').named(name).in(namespace),
    allow(Pod, 'get').in(namespace),
  ];
}
