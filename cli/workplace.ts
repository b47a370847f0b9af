import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { show } from '@tenantry/kube/problem';
import { hasRepository } from './git/git.ts';
import { UsageError } from './usage-error.ts';

/** Files and folders that mark the root of a fleet. */
const MARKS = ['tenantry.yaml', 'cdk8s.yaml', 'tenants'];

/** Options with a path relative to the folder in which the command was started. */
const PLACES = ['out', 'rendered'];

/**
 * Changes to each folder that -C names, one after the other, as git does.
 * @throws {UsageError} when one is not a folder
 */
export function changeDirectory(folders: readonly string[]): void {
  for (const folder of folders) {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (!found?.isDirectory()) {
      const got = found ? 'a file' : 'nothing';
      throw new UsageError(`-C must be a folder, got ${got} at ${show(folder)}`);
    }
    process.chdir(folder);
  }
}

/**
 * Changes to the nearest parent folder of the repository that declares a fleet, if the command was
 * started below it. That folder has a platform file, a cdk8s.yaml or a folder `tenants`. Does
 * nothing outside of Git, or when the command line names the tenants or the platform.
 */
export function changeToFleetRoot(command: Command): void {
  const { tenants, platform, quiet } = command.opts<Record<string, unknown>>();
  const isOfFleet = command.options.some((option) => option.attributeName() === 'tenants');
  if (!isOfFleet || (tenants ?? platform) !== undefined) return;
  const start = process.cwd();
  const root = rootAbove(start);
  if (root === undefined || root === start) return;
  for (const name of PLACES) {
    const place: unknown = command.getOptionValue(name);
    if (typeof place !== 'string' || place === '') continue;
    command.setOptionValue(name, relative(root, resolve(start, place)) || '.');
  }
  process.chdir(root);
  if (quiet !== true) console.error(`note: the fleet is that of ${root}`);
}

/** Returns the root above a folder; undefined if there is none up to the top of the repository. */
function rootAbove(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (MARKS.some((mark) => existsSync(join(folder, mark)))) {
      return folder === start || hasRepository(folder) ? folder : undefined;
    }
    if (existsSync(join(folder, '.git')) || folder === dirname(folder)) return undefined;
  }
}
