import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { here } from '../here.cjs';
import { contentHash } from '../output/stat-index.ts';

/** The folders whose code decides what is rendered. */
export const renderingRooms = ['kube', 'schema', 'crds', 'olm', 'constructs', 'synth', 'apps'];

/**
 * Returns a value that changes with the rendering code and the version of Node, so that the output
 * of other code is never reused.
 */
export function codeIdentity(): string {
  const root = dirname(here);
  const parts = [root, process.version];
  for (const room of renderingRooms) {
    for (const entry of readdirSync(join(root, room), { recursive: true, withFileTypes: true })) {
      // Type declarations, half of the files of the package, have no effect.
      if (!entry.isFile() || /\.d\.c?ts$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      const { size, mtimeMs, ctimeMs } = statSync(file);
      parts.push(`${file} ${size} ${mtimeMs} ${ctimeMs}`);
    }
  }
  return contentHash(parts.join('\n'));
}
