import { existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { declare } from '../../scripts/compile.ts';
import { root } from '../structure/tracked.ts';
import { runFolder } from './built.ts';

/**
 * The folder of the type declarations of the package, which the first test file of a run that asks
 * writes: a compiler reads them in a tenth of the time that it needs for the sources.
 */
export function declarations(): string {
  const folder = join(runFolder(), 'declared');
  if (existsSync(folder)) return join(folder, 'types');
  const staged = mkdtempSync(`${folder}.`);
  // The sources are checked by themselves.
  if (!declare(join(staged, 'types'), '--noCheck')) {
    throw new Error('the sources must compile before tests can use their types');
  }
  symlinkSync(join(root, 'node_modules'), join(staged, 'node_modules'), 'junction');
  try {
    renameSync(staged, folder);
  } catch (error) {
    // Another worker was faster.
    if (!existsSync(folder)) throw error;
    rmSync(staged, { recursive: true });
  }
  return join(folder, 'types');
}
