import { statSync } from 'node:fs';
import { errorAt } from '../../kube/finding.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { parseBundle, type BundleSource } from '../bundle/parse.ts';
import { readFolder } from './disk.ts';
import { isImageLayout, readImageLayout } from './image-layout.ts';
import { describeProject } from './project-folder.ts';

/**
 * Reads the bundle in a folder, or in an OCI image layout. Errors are among its `faults`; a missing folder is one. It
 * reads at most what `bounds.ts` allows, runs and writes nothing, waits for nothing, and follows no link out of the
 * folder.
 *
 * @example
 * ```ts
 * import { readBundle } from 'tenantry/olm';
 *
 * const { csv, faults } = readBundle('operators/redis/1.2.3');
 * console.log(csv?.value.spec?.version); // undefined
 * console.log(faults[0]?.message); // must be the folder of a bundle or an OCI image layout, got nothing
 * ```
 */
export function readBundle(path: string): Bundle {
  return parseBundle(sourceOf(path));
}

function sourceOf(path: string): BundleSource {
  const got = noBundle(path);
  if (got === undefined) return isImageLayout(path) ? readImageLayout(path) : readFolder(path);
  const message = `must be the folder of a bundle or an OCI image layout, got ${got}`;
  return { files: [], faults: [errorAt([], message, 'bundle-folder')] };
}

/** Describes what is at a path that cannot be a bundle. */
function noBundle(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 'nothing';
  return found.isDirectory() ? describeProject(path) : 'a file';
}
