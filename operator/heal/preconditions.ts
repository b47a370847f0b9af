import { APP_OBJECTS } from '../../constructs/tenant/app-objects.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { Tenant } from '../cluster/kinds.ts';
import type { HealClient } from './heal-access.ts';

/** Whether an object is unchanged: it is the same one, not edited and not being deleted. */
export function isUnchanged(one: Live, other: Live | undefined): boolean {
  const [a, b] = [one.metadata, other?.metadata];
  return (
    a.uid === b?.uid &&
    a.generation === b.generation &&
    a.deletionTimestamp === b.deletionTimestamp &&
    a.annotations?.[APP_OBJECTS] === b.annotations?.[APP_OBJECTS]
  );
}

/** Whether the API server has the Tenant for which a run was started: the cache is some milliseconds late. */
export async function isStillCurrent(
  tenant: Live<typeof Tenant>,
  client: HealClient,
): Promise<boolean> {
  const { name } = tenant.metadata;
  return isUnchanged(tenant, await client.get(Tenant, { name }).catch(ifGone));
}
