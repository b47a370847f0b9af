import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { declare } from '../../scripts/compile.ts';
import { root } from '../structure/tracked.ts';
import { runFolder } from './built.ts';
import { makeOnce } from './make-once.ts';

/**
 * Returns the folder with the type declarations of the package. The first test file that needs it in a run writes it,
 * while others wait. A compiler reads declarations in a tenth of the time that it needs for the sources.
 */
export function declarations(): string {
  const folder = join(runFolder(), 'declared');
  const types = join(folder, 'types');
  const isMade = makeOnce(folder, () => {
    const modules = join(folder, 'node_modules');
    if (!existsSync(modules)) symlinkSync(join(root, 'node_modules'), modules, 'junction');
    // The sources are type-checked separately.
    return declare(types, '--noCheck');
  });
  if (!isMade) throw new Error('the sources must compile before tests can use their types');
  return types;
}
