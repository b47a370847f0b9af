import { nameOf, objectOf, type Drift } from '../drift/objectdrift.ts';
import type { Healed } from '../heal/healer.ts';
import type { Compared } from './picture.ts';
import type { TenantStatus } from '../../crds/tenantry/tenantstatus.ts';
import { conditionOf } from '../../runtime/conditions/conditions.ts';
import type { ObjectEvent } from '../../runtime/controller/objectevent.ts';

/** Objects, and fields of each, that an event names. */
const MOST_TOLD = 5;
/** Characters of a value that an event shows. */
const LONGEST_SHOWN = 40;

/** What people are told when a status takes the place of another: that it is another case now, and no more. */
export function told(
  before: TenantStatus | undefined,
  after: TenantStatus,
): readonly ObjectEvent[] {
  const [was, is] = [before, after].map((status) => conditionOf(status?.conditions, 'Ready'));
  if (!is || (was?.status === is.status && was.reason === is.reason)) return [];
  // A tenant that is well from the start is no news.
  if (!was && is.status === 'True') return [];
  return [
    {
      type: is.status === 'False' && is.reason !== 'RollingOut' ? 'Warning' : 'Normal',
      reason: is.reason,
      action: 'Compare',
      note: is.message || 'The cluster is what is declared.',
    },
  ];
}

/** What people are told of what was done: which objects, which fields, and whose hand had been on them. */
export function toldOfHealing({ healed }: Compared): readonly ObjectEvent[] {
  const made = healed.filter(({ type }) => type === 'create');
  const restored = healed.filter(({ type }) => type !== 'create' && type !== 'revoke');
  const revoked = healed.filter(({ type }) => type === 'revoke');
  const names = (ones: readonly Healed[]): string[] =>
    ones.map(({ object }) => nameOf(objectOf(object)));
  return [
    ...(made.length > 0 ? [healing('Created', names(made))] : []),
    ...(restored.length > 0 ? [healing('Healed', restored.map(describe))] : []),
    ...(revoked.length > 0 ? [healing('Revoked', names(revoked))] : []),
  ];
}

function healing(reason: string, what: readonly string[]): ObjectEvent {
  const note = what.slice(0, MOST_TOLD).join('; ');
  const more = what.length > MOST_TOLD ? ` and ${what.length - MOST_TOLD} more` : '';
  return { type: 'Normal', reason, action: 'Heal', note: `${note}${more}` };
}

function describe({ object, drift }: Healed): string {
  const fields = drift.slice(0, MOST_TOLD).map(fieldOf);
  return `${nameOf(objectOf(object))} (${fields.join(', ')}${drift.length > MOST_TOLD ? ', ...' : ''})`;
}

function fieldOf({ field = '', live, manager }: Drift): string {
  const was = live === undefined ? 'was gone' : `was ${live.slice(0, LONGEST_SHOWN)}`;
  return `${field} ${was}${manager === undefined ? '' : ` by ${manager}`}`;
}
