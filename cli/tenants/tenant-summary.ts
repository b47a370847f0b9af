import type { TenantStatus } from '../../crds/tenant-status.ts';
import type { Tenant } from '../../operator/cluster/kinds.ts';
import { findCondition, isConditionTrue } from '@tenantry/runtime/conditions/conditions';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { count, formatNumber } from '../console-output.ts';

export type LiveTenant = Live<typeof Tenant>;

/**
 * The states of a tenant, worst first. `Unseen`: the operator has not observed it. `Outdated`: it
 * changed after the last observation. `Undeclared`: as declared, with additional undeclared
 * objects. `Cordoned`: the operator leaves it alone.
 */
const states = [
  'Degraded',
  'Drifted',
  'Unseen',
  'Outdated',
  'NotReady',
  'Progressing',
  'Undeclared',
  'Cordoned',
  'Ready',
] as const;

export type TenantState = (typeof states)[number];

/** The status that the operator reports for a tenant, and whether it is current. */
export interface TenantSummary {
  readonly name: string;
  /** Undefined for the platform's default class. */
  readonly className?: string;
  readonly lifecycle?: string;
  readonly state: TenantState;
  /** The condition Ready; undefined if the operator has not observed the tenant. */
  readonly ready?: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  /** Since when the tenant is ready, or not ready. */
  readonly since?: string;
  readonly driftPolicy?: string;
  /** Undefined if nothing was compared. */
  readonly counts?: TenantStatus['counts'];
  readonly generation: number;
  /** The generation that the status describes. */
  readonly observedGeneration?: number;
}

export function summarizeTenant({ metadata, spec, status }: LiveTenant): TenantSummary {
  const { name, generation = 0 } = metadata;
  const ready = findCondition(status?.conditions, 'Ready');
  const observed = status?.observedGeneration;
  const details = {
    ...(spec?.className !== undefined && { className: spec.className }),
    ...(spec?.lifecycle !== undefined && { lifecycle: spec.lifecycle }),
    ...(ready && {
      ready: ready.status,
      reason: ready.reason,
      message: ready.message,
      since: ready.lastTransitionTime,
    }),
    ...(status?.driftPolicy !== undefined && { driftPolicy: status.driftPolicy }),
    ...(status?.counts && { counts: status.counts }),
    ...(observed !== undefined && { observedGeneration: observed }),
  };
  return { name, state: computeState(status, generation), generation, ...details };
}

/** Whether the status describes the current generation. */
export function isCurrent({ state, generation, observedGeneration = 0 }: TenantSummary): boolean {
  return state !== 'Unseen' && observedGeneration >= generation;
}

function computeState(status: LiveTenant['status'], generation: number): TenantState {
  const ready = findCondition(status?.conditions, 'Ready');
  if (!status || !ready) return 'Unseen';
  const is = (type: string): boolean => isConditionTrue(status.conditions, type);
  if (is('Degraded')) return 'Degraded';
  if (is('Drifted')) return 'Drifted';
  if ((status.observedGeneration ?? 0) < generation) return 'Outdated';
  if (ready.reason === 'Cordoned') return 'Cordoned';
  if (ready.status !== 'True') return is('Progressing') ? 'Progressing' : 'NotReady';
  return (status.counts?.undeclared ?? 0) > 0 ? 'Undeclared' : 'Ready';
}

/** Sorts the worst first; within a state by drift, then by name. */
export function sortWorstFirst(summaries: readonly TenantSummary[]): readonly TenantSummary[] {
  return summaries.toSorted(
    (a, b) =>
      states.indexOf(a.state) - states.indexOf(b.state) ||
      countFields(b) - countFields(a) ||
      (a.name < b.name ? -1 : 1),
  );
}

function countFields({ counts }: TenantSummary): number {
  return counts?.driftedFields ?? 0;
}

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
