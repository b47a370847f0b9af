import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments } from '../../kube/yaml/read.ts';
import type { Body } from '../../testing/controlplane/objects.ts';

const root = join(import.meta.dirname, '../../dist/clusters');

/** One folder of a cluster in dist, with what its files hold in the order that kubectl -R takes. */
export interface DistFolder {
  readonly name: string;
  readonly objects: readonly Body[];
}

export function distClusters(): string[] {
  return readdirSync(root).toSorted();
}

/**
 * The folders of a cluster, in the order of their names.
 * @param clusters where they are. Default: what is committed
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
