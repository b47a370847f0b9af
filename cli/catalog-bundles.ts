import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatList, show } from '../kube/problem.ts';
import { UsageError } from './usage-error.ts';

/** The number of folders between a given one and a bundle in it: `operators/<package>/<version>`. */
const DEEPEST = 4;

/** The file that marks an OCI image layout. */
const LAYOUT = 'oci-layout';

/**
 * Finds the folders of bundles: the given ones and, if one is no bundle, those in it. A bundle has
 * a folder manifests/ and a folder metadata/. The result is sorted and without duplicates.
 * @throws {UsageError} when there is no such folder, or no bundle in it
 */
export function bundleFolders(named: readonly string[]): string[] {
  const found = named.flatMap((folder) => {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new UsageError(`a bundle must be a folder, got ${show(folder)}`);
    }
    const bundles = bundlesIn(folder, DEEPEST);
    if (bundles.length > 0) return bundles;
    const expected = 'must be a bundle, or a folder with bundles in it (manifests/ and metadata/)';
    throw new UsageError(`${show(folder)} ${expected}, got none in ${names(folder)}`);
  });
  return [...new Set(found)].toSorted();
}

function names(folder: string): string {
  const entries = readdirSync(folder).toSorted();
  return entries.length === 0 ? 'an empty one' : formatList(entries);
}

function bundlesIn(folder: string, depth: number): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === LAYOUT)) return [folder];
  const inner = entries.flatMap((entry) => {
    const isEntered = entry.isDirectory() && !entry.name.startsWith('.');
    return isEntered && entry.name !== 'node_modules' ? [entry.name] : [];
  });
  if (inner.includes('manifests') && inner.includes('metadata')) return [folder];
  return depth === 0 ? [] : inner.flatMap((name) => bundlesIn(join(folder, name), depth - 1));
}
