import { spawnSync } from 'node:child_process';
import { buildGo } from './build.ts';

/** How a run of promtool ended, and what it said. */
export interface PromtoolAnswer {
  readonly isOk: boolean;
  readonly output: string;
}

/**
 * Prometheus' own tool, without what finds targets, which rules do not need. Undefined where it cannot be built;
 * the reason is then printed.
 */
export async function promtool(): Promise<
  ((...args: readonly string[]) => PromtoolAnswer) | undefined
> {
  const program = await buildGo('promtool', {
    package: 'github.com/prometheus/prometheus/cmd/promtool',
    tags: 'remove_all_sd',
  });
  if (program === undefined) return undefined;
  return (...args) => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    return { isOk: status === 0, output: stdout + stderr };
  };
}
