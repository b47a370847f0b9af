import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RenderedCluster } from '../apps/network-report.ts';
import type { KubeObject } from '../kube/object.ts';
import { CLUSTERS } from '../kube/output.ts';
import type { Problem } from '../kube/problem.ts';
import { mayContainWord, readDocuments } from '../kube/yaml/read.ts';
import { validateObject } from '../synth/manifests/manifests.ts';

/** The content of an output folder, or the reasons why it cannot be read. */
export interface Rendered {
  readonly clusters: readonly RenderedCluster[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the objects of an output folder, cluster by cluster in the order of their names.
 * @param kinds only documents that hold one of these words are read; default: all
 */
export function readRendered(folder: string, kinds?: readonly string[]): Rendered {
  const top = join(folder, CLUSTERS);
  if (!statSync(top, { throwIfNoEntry: false })?.isDirectory()) {
    const message = `must be a folder that Tenantry rendered, got one without ${CLUSTERS}/`;
    return { clusters: [], problems: [{ file: folder, path: '', message, rule: 'file' }] };
  }
  const problems: Problem[] = [];
  const clusters = readdirSync(top, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
    .map((name) => ({ name, objects: objectsIn(join(top, name), kinds, problems) }));
  return { clusters, problems };
}

function objectsIn(
  folder: string,
  kinds: readonly string[] | undefined,
  problems: Problem[],
): KubeObject[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted()
    .flatMap((name) => {
      const file = join(folder, name);
      const text = readFileSync(file, 'utf8');
      if (kinds && !kinds.some((kind) => mayContainWord(text, kind))) return [];
      const { documents, problems: wrong } = readDocuments(text);
      problems.push(...wrong.map((problem) => ({ ...problem, file, path: '', rule: 'yaml' })));
      return documents.flatMap(({ value }) => {
        if (validateObject(value) !== undefined) return [];
        const object = value as KubeObject;
        return kinds?.includes(object.kind) === false ? [] : [object];
      });
    });
}
