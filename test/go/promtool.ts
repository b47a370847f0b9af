import { spawnSync } from 'node:child_process';
import { buildGo } from './build.ts';

/** The result of a run of promtool, with its output. */
export interface PromtoolAnswer {
  readonly isOk: boolean;
  readonly output: string;
}

/**
 * Returns Prometheus' own tool, without service discovery, which rules do not need. Returns undefined and prints the
 * reason if it cannot be built.
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
