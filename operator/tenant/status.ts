import { formatTime } from '@tenantry/kube/time';
import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '@tenantry/kube/mapping';
import {
  MAX_LISTED,
  type DriftEntry,
  type TenantStatus,
  type UndeclaredEntry,
} from '../../crds/tenant-status.ts';
import { setCondition } from '@tenantry/runtime/conditions/conditions';
import { computeDriftKey } from '../drift/tenant-drift.ts';
import type { Fight } from '../heal/attempts.ts';
import { buildConditions } from './conditions.ts';
import type { Observation } from './observation.ts';
import type { AllowedClient } from '@tenantry/runtime/access/restricted-client';
import type { Grant } from '@tenantry/runtime/access/grant';
import type { Clock } from '@tenantry/runtime/clock/clock';
import type { ObjectEvent } from '@tenantry/runtime/controller/context';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { Tenant } from '../cluster/kinds.ts';
import { statusEvents } from './events.ts';

type Dated = { readonly since: string };

/**
 * Builds the status for an observation. Returns the earlier status itself if nothing changed, so nothing needs to be
 * written. Hook receipts stay unchanged: another controller owns them.
 */
export function buildStatus(
  before: TenantStatus | undefined,
  observation: Observation,
  generation: number,
  now: Date,
): TenantStatus {
  const at = formatTime(now);
  let conditions = before?.conditions;
  for (const condition of buildConditions(observation)) {
    conditions = setCondition(conditions, { ...condition, observedGeneration: generation }, now);
  }
  const body = buildBody(before, observation, now);
  const isNews = !isDeepStrictEqual(
    [before?.counts, before?.conditions?.map(({ status }) => status)],
    ['counts' in body ? body.counts : undefined, conditions?.map(({ status }) => status)],
  );
  const lastChange = isNews ? at : (before?.lastChange ?? at);
  const after: TenantStatus = omitUndefined({
    observedGeneration: generation,
    conditions,
    ...body,
    hooks: before?.hooks,
    lastChange,
  });
  return before !== undefined && isDeepStrictEqual(before, after) ? before : after;
}

type Body = Omit<TenantStatus, 'conditions' | 'observedGeneration' | 'hooks' | 'lastChange'>;

/** If the state is not known, the last known one stays and the conditions report that. */
function buildBody(before: TenantStatus | undefined, observation: Observation, now: Date): Body {
  if (observation.type === 'compared') return comparedStatus(before, observation, now);
  if (observation.type !== 'unknown' || !before) return {};
  const { conditions: _, observedGeneration: __, hooks: ___, lastChange: ____, ...body } = before;
  return body;
}

function comparedStatus(
  before: TenantStatus | undefined,
  observation: Extract<Observation, { type: 'compared' }>,
  now: Date,
): Body {
  const at = formatTime(now);
  const { drift, undeclared, notCompared, pressure, namespaces, objects, policy } = observation;
  const { declaredDigest } = observation;
  const since = <T extends Parameters<typeof computeDriftKey>[0]>(
    ones: readonly T[],
    earlier: readonly (T & Dated)[] = [],
  ): readonly (T & Dated)[] => {
    const known = new Map(earlier.map((one) => [computeDriftKey(one), one.since]));
    return ones
      .slice(0, MAX_LISTED)
      .map((one) => ({ ...one, since: known.get(computeDriftKey(one)) ?? at }));
  };
  const listed: readonly DriftEntry[] = since(drift, before?.drift);
  const undeclaredObjects: readonly UndeclaredEntry[] = since(undeclared, before?.undeclared);
  const undeclaredAccess = undeclared.filter(({ givesAccess }) => givesAccess).length;
  const drifted = new Set(drift.map((one) => computeDriftKey({ ...one, type: '', field: '' })));
  return omitUndefined({
    driftPolicy: policy,
    counts: omitUndefined({
      namespaces,
      objects,
      driftedObjects: drifted.size,
      driftedFields: drift.length,
      undeclared: undeclared.length,
      undeclaredAccess: undeclaredAccess > 0 ? undeclaredAccess : undefined,
    }),
    drift: listed.length > 0 ? listed : undefined,
    moreDrift: drift.length > MAX_LISTED ? drift.length - MAX_LISTED : undefined,
    notCompared: notCompared.length > 0 ? notCompared.slice(0, MAX_LISTED) : undefined,
    undeclared: undeclaredObjects.length > 0 ? undeclaredObjects : undefined,
    leftAlone:
      observation.fights.length > 0 ? buildLeftAlone(before, observation.fights, now) : undefined,
    quotaPressure: pressure.length > 0 ? pressure.slice(0, MAX_LISTED) : undefined,
    declaredDigest,
  });
}

/** Keeps the time of an entry that the status already has: computed again, it would differ by a moment. */
function buildLeftAlone(
  before: TenantStatus | undefined,
  fights: readonly Fight[],
  now: Date,
): NonNullable<TenantStatus['leftAlone']> {
  return fights.slice(0, MAX_LISTED).map(({ key: object, declared, healed, left }) => {
    const known = before?.leftAlone?.find(
      (one) => one.object === object && one.declared === declared && one.healed === healed,
    );
    return known ?? { object, declared, healed, until: formatTime(new Date(now.getTime() + left)) };
  });
}

/** The result of writing a status: written, unchanged, or the Tenant does not exist. */
type StatusWrite = 'written' | 'unchanged' | 'absent';

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
  const patch = { metadata: { resourceVersion }, status: buildMergePatch(object.status, status) };
  const options = { subresource: 'status' } as const;
  const written = await client.patch(Tenant, { name }, patch, options).catch(ifGone);
  for (const statusEvent of statusEvents(object.status, status)) event(statusEvent);
  return written ? 'written' : 'absent';
}

/** Returns a merge patch in which removed fields are null. */
function buildMergePatch(before: object | undefined, after: object): object {
  const gone = Object.keys(before ?? {}).filter((field) => !Object.hasOwn(after, field));
  return { ...after, ...Object.fromEntries(gone.map((field) => [field, null])) };
}
