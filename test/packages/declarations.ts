import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declare } from '../../scripts/compile.ts';
import { root } from '../structure/tracked.ts';
import { runFolder } from './built.ts';

/**
 * Returns the folder with the type declarations of the package. The first test file that needs it in a run writes it,
 * while others wait. A compiler reads declarations in a tenth of the time that it needs for the sources.
 */
export function declarations(): string {
  const folder = join(runFolder(), 'declared');
  const types = join(folder, 'types');
  const failed = join(folder, 'failed');
  if (mkdirSync(folder, { recursive: true }) !== undefined) write(folder, failed);
  const last = performance.now() + 240_000;
  while (!existsSync(join(folder, 'whole'))) {
    if (existsSync(failed) || performance.now() > last) {
      throw new Error('the sources must compile before tests can use their types');
    }
    // The caller has nothing else to do meanwhile.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  return types;
}

function write(folder: string, failed: string): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  // The sources are type-checked separately.
  const isDone = declare(join(folder, 'types'), '--noCheck');
  writeFileSync(isDone ? join(folder, 'whole') : failed, '');
}
