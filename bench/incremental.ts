import { spawnSync } from 'node:child_process';
import { members, writeDeclarations, writeMember } from './fleet.ts';
import { measure, type Command } from './measure.ts';
import type { Results } from './results.ts';
import type { Workspace } from './workspace.ts';

/** The titles of measurements after the first rendering of a fleet. */
export const FIRST = 'first, remembering';
export const UNCHANGED = 'unchanged';
export const ONE_CHANGED = 'one file changed';
export const CHECK = 'check';

/**
 * Measures runs on a fleet that is rendered and committed, with the cache that Tenantry keeps. Each
 * measurement covers a whole `tenantry` process.
 */
export function measureIncremental(
  workspace: Workspace,
  size: number,
  runs: number,
  results: Results,
): void {
  const fleet = members(size);
  const cwd = workspace.fresh('later');
  const cache = workspace.fresh('cache');
  writeDeclarations(cwd, fleet);
  const command = (...args: string[]): Command => ({
    file: process.execPath,
    args: [workspace.built('cli/main.js'), ...args],
    cwd,
    env: { TENANTRY_CACHE: cache, CI: '' },
  });
  const run = (name: string, round: number, ...args: string[]): void => {
    results.add(name, size, round, measure(command(...args), workspace.path('later.txt')));
  };
  run(FIRST, 0, 'synth', '--quiet');
  commitOutput(cwd);
  // The cache does not trust files that changed a moment ago until a second run has read them.
  measure(command('synth', '--quiet'), workspace.path('later.txt'));
  for (let round = 0; round < runs; round++) {
    run(UNCHANGED, round, 'synth', '--quiet');
    run(CHECK, round, 'check', '--quiet');
    const changed = fleet[Math.floor((size * (round + 1)) / (runs + 2))]!;
    writeMember(cwd, { ...changed, pods: changed.pods + 5 });
    run(ONE_CHANGED, round, 'synth', '--quiet');
  }
}

/** Commits the output: `check` compares with the commit where there is Git, or else with the files. */
export function commitOutput(folder: string): void {
  // Git must not run maintenance in the background during a measurement.
  const settings = [
    'gc.auto=0',
    'maintenance.auto=false',
    'user.name=b',
    'user.email=b@example.com',
  ];
  const steps = [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '--no-verify', '-m', 'bench'],
    // As in a clone: one pack, and no loose objects.
    ['gc', '-q'],
  ];
  for (const args of steps) {
    const all = [...settings.flatMap((setting) => ['-c', setting]), ...args];
    const { status, error } = spawnSync('git', all, { cwd: folder, stdio: ['ignore', 2, 2] });
    if (error) return;
    if (status !== 0) throw new Error(`git ${args.join(' ')} must work`);
  }
}
