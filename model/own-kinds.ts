import type { Definition } from '@tenantry/crd/definition';
import { accessRequest } from '../crds/access-request.ts';
import { tenantClass } from '../crds/tenant-class.ts';
import { tenant } from '../crds/tenant.ts';
import type { Platform } from './declaration.ts';

/**
 * Lists our kinds that clusters of a platform define. Requests of access exist only where an operator grants them, so
 * that nobody waits for one that does not.
 */
export function listOwnKinds({ driftPolicy }: Platform): readonly Definition[] {
  return driftPolicy === 'Heal' ? [accessRequest, tenant, tenantClass] : [tenant, tenantClass];
}
