import { spawnSync } from 'node:child_process';
import { members, writeDeclarations, writeMember } from './fleet.ts';
import { measure, type Command } from './measure.ts';
import type { Results } from './results.ts';
import type { Workspace } from './workspace.ts';

/** What is measured after the first rendering of a fleet. */
export const FIRST = 'first, remembering';
export const UNCHANGED = 'unchanged';
export const ONE_CHANGED = 'one file changed';
export const CHECK = 'check';

/**
 * The days after the first: a fleet that is rendered and committed, and what Tenantry remembers of
 * it. Everything that is a `tenantry` process is measured.
 */
export function measureLater(
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
  commit(cwd);
  // Files of the last moment are not trusted before they were looked at once more.
  measure(command('synth', '--quiet'), workspace.path('later.txt'));
  for (let round = 0; round < runs; round++) {
    run(UNCHANGED, round, 'synth', '--quiet');
    run(CHECK, round, 'check', '--quiet');
    const changed = fleet[Math.floor((size * (round + 1)) / (runs + 2))]!;
    writeMember(cwd, { ...changed, pods: changed.pods + 5 });
    run(ONE_CHANGED, round, 'synth', '--quiet');
  }
}

/** `check` compares with what is committed, where there is Git; without, with what is on disk. */
function commit(folder: string): void {
  // Nothing is to tidy up in the background while others are measured.
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
    // As a clone has it: one pack, and no object in a file of its own.
    ['gc', '-q'],
  ];
  for (const args of steps) {
    const all = [...settings.flatMap((setting) => ['-c', setting]), ...args];
    const { status, error } = spawnSync('git', all, { cwd: folder, stdio: ['ignore', 2, 2] });
    if (error) return;
    if (status !== 0) throw new Error(`git ${args.join(' ')} must work`);
  }
}
