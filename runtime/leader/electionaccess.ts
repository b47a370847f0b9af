import type { AccessRule } from '../../kube/access.ts';
import { allow } from '../access/grant.ts';
import { Lease } from '../kinds/coordination.ts';
import { Pod } from '../kinds/core.ts';
import type { LeaseName } from './leaselock.ts';

/** What a `leaseElection` asks of the API server. */
export function leaseElectionAccess({ name, namespace }: LeaseName): readonly AccessRule[] {
  return [
    allow(Lease, 'create').in(namespace),
    allow(Lease, 'get', 'update').named(name).in(namespace),
  ];
}

/** What an `electionForLife` asks of the API server. */
export function electionForLifeAccess(lease: LeaseName): readonly AccessRule[] {
  return [...leaseElectionAccess(lease), allow(Pod, 'get').in(lease.namespace)];
}
