import type { Live } from '@tenantry/runtime/kinds/kind';
import { conditionOf } from '@tenantry/runtime/conditions/conditions';
import type { Tenant } from '../cluster/kinds.ts';

/**
 * The states in which tenants are counted, with their meaning. A tenant is in the first state that applies.
 * docs/operator.md contains the same table.
 */
export const states = {
  cordoned: 'It is cordoned, so the operator leaves it alone.',
  unknown: 'The operator has not compared it yet, or cannot determine its state.',
  degraded:
    'A person has to act: the Tenant is refused, its namespace is taken, or a namespace is stuck.',
  drifted: 'Something differs from the declaration.',
  undeclared: 'Somebody granted access by hand that the tenant’s users may not grant.',
  progressing: 'The cluster has not yet followed a change of the declaration.',
  ready: 'Everything is as declared.',
} as const;

/** One of the `states`. */
export type State = keyof typeof states;

/** Returns the state of a tenant, according to its status. */
export function stateOf({ spec, status }: Live<typeof Tenant>): State {
  if (spec?.cordoned) return 'cordoned';
  const is = (type: string): boolean => conditionOf(status?.conditions, type)?.status === 'True';
  if (is('Degraded')) return 'degraded';
  if (is('Drifted')) return 'drifted';
  const ready = conditionOf(status?.conditions, 'Ready');
  if (ready?.status === 'Unknown') return 'unknown';
  if (ready?.reason === 'UndeclaredAccess') return 'undeclared';
  if (is('Progressing')) return 'progressing';
  return is('Ready') ? 'ready' : 'unknown';
}

/** Whether a Tenant's status is about its current generation. */
export function isStatusCurrent({ metadata, status }: Live<typeof Tenant>): boolean {
  return status?.observedGeneration === metadata.generation;
}
