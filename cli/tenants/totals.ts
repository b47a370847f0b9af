import { count, formatNumber } from '../console-output.ts';
import { states, type TenantSummary, type TenantState } from './tenant-summary.ts';

/** The number of tenants in each state. */
interface Totals {
  readonly tenants: number;
  readonly states: Readonly<Partial<Record<TenantState, number>>>;
  readonly driftedFields: number;
  readonly undeclared: number;
}

export function countByState(summaries: readonly TenantSummary[]): Totals {
  const numbers: Partial<Record<TenantState, number>> = {};
  let [driftedFields, undeclared] = [0, 0];
  for (const { state, counts } of summaries) {
    numbers[state] = (numbers[state] ?? 0) + 1;
    driftedFields += counts?.driftedFields ?? 0;
    undeclared += counts?.undeclared ?? 0;
  }
  return { tenants: summaries.length, states: numbers, driftedFields, undeclared };
}

const words: Readonly<Record<TenantState, string>> = {
  Degraded: 'degraded',
  Drifted: 'drifted',
  Unseen: 'not looked at',
  Outdated: 'not looked at since changed',
  NotReady: 'not ready',
  Progressing: 'rolling out',
  Undeclared: 'ready, with something undeclared',
  Cordoned: 'cordoned',
  Ready: 'ready',
};

/** `12 tenants: 2 drifted, 10 ready; 3 differences, 1 undeclared`. */
export function totalsLine({
  tenants,
  states: numbers,
  driftedFields,
  undeclared,
}: Totals): string {
  const parts = states.flatMap((state) => {
    const number = numbers[state] ?? 0;
    return number === 0 ? [] : [`${number} ${words[state]}`];
  });
  const besides = [
    driftedFields > 0 && count(driftedFields, 'difference'),
    undeclared > 0 && `${formatNumber(undeclared)} undeclared`,
  ].filter(Boolean);
  const all = count(tenants, 'tenant');
  const how = parts.length === 0 ? all : `${all}: ${parts.join(', ')}`;
  return besides.length === 0 ? how : `${how}; ${besides.join(', ')}`;
}
