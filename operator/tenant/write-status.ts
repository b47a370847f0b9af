import type { AllowedClient } from '../../runtime/access/allowed-client.ts';
import type { Grant } from '../../runtime/access/grant.ts';
import type { Clock } from '../../runtime/clock/clock.ts';
import type { ObjectEvent } from '../../runtime/controller/object-event.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { Tenant } from '../cluster/kinds.ts';
import type { Observation } from './observation.ts';
import { buildStatus } from './status.ts';
import { statusEvents } from './events.ts';

/** The result of writing a status: written, unchanged, or the Tenant does not exist. */
export type StatusWrite = 'written' | 'unchanged' | 'absent';

/** How to write the status and the events of a Tenant. */
export interface StatusTarget {
  readonly object: Live<typeof Tenant>;
  readonly client: AllowedClient<Grant<typeof Tenant, 'patch', 'status'>>;
  readonly clock: Clock;
  event(event: ObjectEvent): void;
}

/**
 * Writes an observation into the status of a Tenant, and emits events if the state changed.
 *
 * Rejects if the API server refuses the status.
 */
export async function writeStatus(
  observation: Observation,
  { object, client, clock, event }: StatusTarget,
): Promise<StatusWrite> {
  const { name, generation = 0, resourceVersion } = object.metadata;
  const status = buildStatus(object.status, observation, generation, clock.date());
  if (status === object.status) return 'unchanged';
  const patch = { metadata: { resourceVersion }, status: replaced(object.status, status) };
  const options = { subresource: 'status' } as const;
  const written = await client.patch(Tenant, { name }, patch, options).catch(ifGone);
  for (const statusEvent of statusEvents(object.status, status)) event(statusEvent);
  return written ? 'written' : 'absent';
}

/** Returns a merge patch in which removed fields are null. */
function replaced(before: object | undefined, after: object): object {
  const gone = Object.keys(before ?? {}).filter((field) => !Object.hasOwn(after, field));
  return { ...after, ...Object.fromEntries(gone.map((field) => [field, null])) };
}
