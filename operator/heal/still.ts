import { ifGone } from '../../runtime/errors/expected.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { Tenant } from '../cluster/kinds.ts';
import type { HealClient } from './healaccess.ts';

/** Whether a Tenant is what a turn is about: the cache is some milliseconds late. */
export async function isStill(
  { metadata: { name, uid, generation, deletionTimestamp } }: Live<typeof Tenant>,
  client: HealClient,
): Promise<boolean> {
  const { metadata: now } = (await client.get(Tenant, { name }).catch(ifGone)) ?? {};
  if (now?.uid !== uid || now.generation !== generation) return false;
  return now.deletionTimestamp === deletionTimestamp;
}
