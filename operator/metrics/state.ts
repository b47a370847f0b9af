import type { Live } from '../../runtime/kinds/kind.ts';
import { conditionOf } from '../../runtime/conditions/conditions.ts';
import type { Tenant } from '../cluster/kinds.ts';

/**
 * As what a tenant is counted, and what that means; each as one of them, as the first that holds. docs/operator.md
 * has them as a table.
 */
export const states = {
  cordoned: 'It is left alone, since it says so.',
  unknown: 'The operator has not looked at it yet, or cannot know how it stands.',
  degraded: 'Somebody has to look: it is refused, its namespace is taken, or one is stuck.',
  drifted: 'Something differs from what is declared.',
  undeclared: 'Somebody gave access by hand that the users of the tenant may not give.',
  progressing: 'The cluster has not yet followed a change of the declaration.',
  ready: 'All is as declared.',
} as const;

/** One of them. */
export type State = keyof typeof states;

/** By what its status says. */
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

/** Whether its status speaks of what it is declared to be now. */
export function isStatusCurrent({ metadata, status }: Live<typeof Tenant>): boolean {
  return status?.observedGeneration === metadata.generation;
}
