import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { here } from '../here.cjs';

/**
 * The file that a thread runs: what is built of a module, or its source where nothing is built.
 * @param module from the root, without its ending: `synth/output/writer`
 */
export function threadProgram(module: string): string {
  const built = join(dirname(here), `${module}.js`);
  return existsSync(built) ? built : join(dirname(here), `${module}.ts`);
}
