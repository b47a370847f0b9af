import { runs } from '../kube/yaml/runs.ts';

/** So many schedules of a simulation, always the same ones; others and more as `runs` says. */
export function someSchedules(count: number): {
  readonly seed: number;
  readonly schedules: number;
} {
  const { seed, numRuns } = runs(count);
  return { seed, schedules: numRuns };
}
