import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { here } from '../here.cjs';

/** The folder of this module's files, in the sources and in the build. */
export const controlPlaneFolder = join(here, 'controlplane');

/** Returns the file of a program of this folder for a child process: the built file, or the source. */
export function programFile(name: string): string {
  const built = join(controlPlaneFolder, `${name}.js`);
  return existsSync(built) ? built : join(controlPlaneFolder, `${name}.ts`);
}
