import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@tenantry/kube/object';
import { readDocuments } from '@tenantry/kube/yaml/read';

/** A namespace as its team wrote it: a folder of YAML files. */
export interface Original {
  readonly namespace: string;
  /** The objects; one without a namespace gets that of the folder. */
  readonly objects: readonly KubeObject[];
  /** The number of lines of each object, including comments and separators around it. */
  readonly lines: ReadonlyMap<KubeObject, number>;
  /** The place of each object: its file below the folder of the fleet, and its lines there. */
  readonly sources: ReadonlyMap<KubeObject, Source>;
}

export interface Source {
  readonly file: string;
  readonly text: string;
}

/** Reads a fleet in place, one folder per namespace, in the order of names. */
export function readFleet(folder: string): Original[] {
  return readdirSync(folder)
    .toSorted()
    .map((namespace) => readNamespace(folder, namespace));
}

function readNamespace(folder: string, namespace: string): Original {
  const lines = new Map<KubeObject, number>();
  const sources = new Map<KubeObject, Source>();
  for (const file of readdirSync(join(folder, namespace)).toSorted()) {
    const text = readFileSync(join(folder, namespace, file), 'utf8');
    const { documents, problems } = readDocuments(text);
    if (problems.length > 0) {
      throw new Error(`${namespace}/${file} must be YAML, got ${problems[0]!.message}`);
    }
    const starts = documents.map((document, i) => (i === 0 ? 1 : document.positionAt([]).line));
    const written = text.trimEnd().split('\n');
    documents.forEach(({ value }, i) => {
      const [start, end] = [starts[i]!, starts[i + 1] ?? written.length + 1];
      const object = placed(value as KubeObject, namespace);
      lines.set(object, end - start);
      const own = written.slice(start - 1, end - 1);
      sources.set(object, { file: `${namespace}/${file}`, text: `${own.join('\n')}\n` });
    });
  }
  return { namespace, objects: [...lines.keys()], lines, sources };
}

function placed(object: KubeObject, namespace: string): KubeObject {
  if (object.kind === 'Namespace' || object.metadata.namespace !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** Returns the objects of one kind, with the type that the caller expects. */
export function objectsOf<T extends KubeObject>(
  { objects }: Original,
  apiVersion: string,
  kind: string,
): T[] {
  return objects.filter((o): o is T => o.apiVersion === apiVersion && o.kind === kind);
}
