import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleText } from '@tenantry/olm/constructs/bundle/files';
import { readDocuments } from '@tenantry/kube/yaml/read';
import type { Body } from '@tenantry/testing/controlplane/objects';

const dist = join(import.meta.dirname, '../../../dist');

/** Returns the objects of a file in dist, or of all files in a folder. */
export function objectsOf(path: string): Body[] {
  const whole = join(dist, path);
  const files = statSync(whole).isDirectory() ? filesIn(whole) : [whole];
  return files.flatMap((file) => {
    return readDocuments(readFileSync(file, 'utf8')).documents.map(({ value }) => value as Body);
  });
}

/** Returns the files of a bundle in dist. */
export function bundleIn(path: string): BundleText[] {
  const root = join(dist, path);
  return filesIn(root).map((file) => {
    return { path: file.slice(root.length + 1), text: readFileSync(file, 'utf8') };
  });
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
}
