import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { here } from '../here.cjs';

/** The folder of this file's files, in the sources and in what is built of them. */
export const controlPlaneFolder = join(here, 'controlplane');

/** The file of a program of this folder that a process of its own runs: what is built, or the source. */
export function programFile(name: string): string {
  const built = join(controlPlaneFolder, `${name}.js`);
  return existsSync(built) ? built : join(controlPlaneFolder, `${name}.ts`);
}
