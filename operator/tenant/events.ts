import { formatObjectName, identifyObject, type Drift } from '../drift/object-drift.ts';
import type { HealedObject } from '../heal/heal-run.ts';
import type { ComparedTenant } from './observation.ts';
import type { TenantStatus, UndeclaredEntry } from '../../crds/tenant-status.ts';
import { describeUndeclared } from '../drift/undeclared-objects.ts';
import { computeDriftKey } from '../drift/tenant-drift.ts';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import type { ObjectEvent } from '@tenantry/runtime/controller/context';

/** The most objects that an event names, and the most fields of each. */
const MAX_LISTED = 5;
/** The most characters of a value that an event shows. */
const MAX_VALUE_LENGTH = 40;

/** Returns the events for a status that replaces another: a changed state, and newly undeclared objects. */
export function statusEvents(
  before: TenantStatus | undefined,
  after: TenantStatus,
): readonly ObjectEvent[] {
  const undeclared = undeclaredEvents(before, after);
  const readiness = readinessEvents(before, after).filter(({ reason }) =>
    undeclared.every((one) => one.reason !== reason),
  );
  return [...readiness, ...undeclared];
}

function undeclaredEvents(
  before: TenantStatus | undefined,
  after: TenantStatus,
): readonly ObjectEvent[] {
  const known = new Set(before?.undeclared?.map((one) => computeDriftKey(one)));
  const added = (after.undeclared ?? []).filter((one) => !known.has(computeDriftKey(one)));
  if (added.length === 0) return [];
  const isAccess = added.some(({ givesAccess }) => givesAccess);
  const note = listing(added.map((one) => `${describeUndeclared(one)}${describeWriter(one)}`));
  const reason = isAccess ? 'UndeclaredAccess' : 'Undeclared';
  return [{ type: 'Warning', reason, action: 'Compare', note }];
}

function describeWriter({ manager }: Pick<UndeclaredEntry, 'manager'>): string {
  return manager === undefined ? '' : ` by ${manager}`;
}

function readinessEvents(
  before: TenantStatus | undefined,
  after: TenantStatus,
): readonly ObjectEvent[] {
  const [was, is] = [before, after].map((status) => findCondition(status?.conditions, 'Ready'));
  if (!is || (was?.status === is.status && was.reason === is.reason)) return [];
  // A tenant that is ready from the start causes no event.
  if (!was && is.status === 'True') return [];
  return [
    {
      type: isWarning(is) ? 'Warning' : 'Normal',
      reason: is.reason,
      action: 'Compare',
      note: is.message || 'Everything is as declared.',
    },
  ];
}

/** A rollout, a cordoned tenant or one that is as declared causes no warning. */
function isWarning({ status, reason }: { status: string; reason: string }): boolean {
  return status !== 'True' && reason !== 'RollingOut' && reason !== 'Cordoned';
}

/** Returns the events about healing: which objects and fields, and which field managers had changed them. */
export function healingEvents({ healed }: ComparedTenant): readonly ObjectEvent[] {
  const made = healed.filter(({ type }) => type === 'create');
  const restored = healed.filter(({ type }) => type !== 'create' && type !== 'revoke');
  const revoked = healed.filter(({ type }) => type === 'revoke');
  const names = (ones: readonly HealedObject[]): string[] =>
    ones.map(({ object }) => formatObjectName(identifyObject(object)));
  return [
    ...(made.length > 0 ? [healing('Created', names(made))] : []),
    ...(restored.length > 0 ? [healing('Healed', restored.map(describe))] : []),
    ...(revoked.length > 0 ? [healing('Revoked', names(revoked))] : []),
  ];
}

function healing(reason: string, what: readonly string[]): ObjectEvent {
  return { type: 'Normal', reason, action: 'Heal', note: listing(what) };
}

function listing(what: readonly string[]): string {
  const more = what.length > MAX_LISTED ? ` and ${what.length - MAX_LISTED} more` : '';
  return `${what.slice(0, MAX_LISTED).join('; ')}${more}`;
}

function describe({ object, drift }: HealedObject): string {
  const fields = drift.slice(0, MAX_LISTED).map(describeField);
  return `${formatObjectName(identifyObject(object))} (${fields.join(', ')}${drift.length > MAX_LISTED ? ', ...' : ''})`;
}

function describeField({ field = '', live, manager }: Drift): string {
  const was = live === undefined ? 'was gone' : `was ${live.slice(0, MAX_VALUE_LENGTH)}`;
  return `${field} ${was}${manager === undefined ? '' : ` by ${manager}`}`;
}
