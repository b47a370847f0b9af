import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { here } from '../here.cjs';

/**
 * Returns the file that a thread runs: the built module, or its source without a build.
 * @param module the path from the root, without extension: `synth/output/writer`
 */
export function threadProgram(module: string): string {
  const built = join(dirname(here), `${module}.js`);
  return existsSync(built) ? built : join(dirname(here), `${module}.ts`);
}
