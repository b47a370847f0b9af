import type { AllowedClient } from '../../runtime/access/allowedclient.ts';
import type { Grant } from '../../runtime/access/grant.ts';
import type { Clock } from '../../runtime/clock/clock.ts';
import type { ObjectEvent } from '../../runtime/controller/objectevent.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { Tenant } from '../cluster/kinds.ts';
import type { Picture } from './picture.ts';
import { statusOf } from './status.ts';
import { told } from './told.ts';

/** By what a Tenant is told of. */
export interface Telling {
  readonly object: Live<typeof Tenant>;
  readonly client: AllowedClient<Grant<typeof Tenant, 'patch', 'status'>>;
  readonly clock: Clock;
  event(said: ObjectEvent): void;
}

/** Has the status of a Tenant say a picture, and tells people where that is another case. Whether it was written. */
export async function tell(
  picture: Picture,
  { object, client, clock, event }: Telling,
): Promise<boolean> {
  const { name, generation = 0, resourceVersion } = object.metadata;
  const status = statusOf(object.status, picture, generation, clock.date());
  if (status === object.status) return false;
  const patch = { metadata: { resourceVersion }, status: replaced(object.status, status) };
  await client.patch(Tenant, { name }, patch, { subresource: 'status' }).catch(ifGone);
  for (const said of told(object.status, status)) event(said);
  return true;
}

/** As a merge patch: null for what is no more. */
function replaced(before: object | undefined, after: object): object {
  const gone = Object.keys(before ?? {}).filter((field) => !Object.hasOwn(after, field));
  return { ...after, ...Object.fromEntries(gone.map((field) => [field, null])) };
}
