import type { Plan } from '@tenantry/testing/simulation/schedule/plan';
import type { SimulationEvent } from '@tenantry/testing/simulation/schedule/step';
import type { SimulateProps } from '@tenantry/testing/simulation/simulate-props';

export type Crash = Extract<SimulationEvent, { readonly do: 'crashes' }>;

/**
 * Returns a plan of actions one after the other, every 20,000 milliseconds by default, with an optional crash before
 * them.
 */
export function planOf(
  acts: NonNullable<SimulateProps['actions']>,
  { every = 20_000, crash }: { readonly every?: number; readonly crash?: Crash | undefined } = {},
): Plan {
  const done = Object.keys(acts).map((name, i) => ({
    at: 200 + i * every,
    event: { do: 'action' as const, name, seed: 1 },
  }));
  const steps = [...(crash ? [{ at: 100, event: crash }] : []), ...done].map((step, index) => ({
    ...step,
    index,
    isSimpler: false,
  }));
  return { seed: 1, isEven: true, steps };
}
