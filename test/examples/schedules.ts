import { runs } from '@tenantry/kube/test/yaml/runs';

/** Returns this number of schedules of a simulation, with a fixed seed; `runs` can set another seed and number. */
export function someSchedules(count: number): {
  readonly seed: number;
  readonly schedules: number;
} {
  const { seed, numRuns } = runs(count);
  return { seed, schedules: numRuns };
}
