import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { here } from '../here.cjs';
import { contentHash } from '../output/stat-index.ts';

/** The rooms whose code decides what is rendered. */
export const renderingRooms = ['kube', 'schema', 'crds', 'olm', 'constructs', 'synth', 'apps'];

/**
 * A different value after any change to the code that renders, or of the Node that runs it, so that
 * nothing that other code rendered is ever taken for this code's.
 */
export function codeIdentity(): string {
  const root = dirname(here);
  const parts = [root, process.version];
  for (const room of renderingRooms) {
    for (const entry of readdirSync(join(root, room), { recursive: true, withFileTypes: true })) {
      // Declarations of types, half of the files of the package, decide nothing.
      if (!entry.isFile() || /\.d\.c?ts$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      const { size, mtimeMs, ctimeMs } = statSync(file);
      parts.push(`${file} ${size} ${mtimeMs} ${ctimeMs}`);
    }
  }
  return contentHash(parts.join('\n'));
}
