import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments } from '@tenantry/kube/yaml/read';
import type { Body } from '@tenantry/testing/controlplane/objects';

const root = join(import.meta.dirname, '../../dist/clusters');

/** A folder of a cluster in dist, with the objects of its files in the order of kubectl -R. */
export interface DistFolder {
  readonly name: string;
  readonly objects: readonly Body[];
}

export function distClusters(): string[] {
  return readdirSync(root).toSorted();
}

/**
 * Returns the folders of a cluster, sorted by name.
 * @param clusters the folder of the clusters. Default: the committed one
 */
export function distFolders(cluster: string, clusters = root): DistFolder[] {
  const folder = join(clusters, cluster);
  const names = readdirSync(folder).toSorted();
  return names.map((name) => ({ name, objects: objectsBelow(join(folder, name)) }));
}

function objectsBelow(folder: string): Body[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .flatMap((file) => {
      const { documents, problems } = readDocuments(readFileSync(join(folder, file), 'utf8'));
      if (problems.length > 0) throw new Error(`${file} ${problems[0]!.message}`);
      return documents.map(({ value }) => value as Body);
    });
}
