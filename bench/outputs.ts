import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../kube/object.ts';
import { readDocuments } from '../kube/yaml/read.ts';

/** How many objects YAML files hold. */
export function countYaml(files: readonly string[]): number {
  const count = (file: string) => readFileSync(file, 'utf8').match(/^kind:/gm)?.length ?? 0;
  return files.reduce((sum, file) => sum + count(file), 0);
}

export function readYaml(files: readonly string[]): KubeObject[] {
  return files.flatMap((file) => {
    const { documents, problems } = readDocuments(readFileSync(file, 'utf8'));
    if (problems.length > 0) throw new Error(`${file}: ${problems[0]!.message}`);
    return documents.map(({ value }) => value as KubeObject);
  });
}

/** Objects from JSON files, each a list of kind List. */
export function readLists(files: readonly string[]): KubeObject[] {
  return files.flatMap((file) => {
    const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: KubeObject[] };
    return items;
  });
}

/** The files below a folder whose path matches. */
export function filesBelow(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => wanted.test(file));
}

/** The first object that is not the same in both, in words; undefined when all are. */
export function difference(
  wanted: readonly KubeObject[],
  got: readonly KubeObject[],
): string | undefined {
  const known = new Map(got.map((object) => [identity(object), object]));
  for (const object of wanted) {
    const other = known.get(identity(object));
    if (!isDeepStrictEqual(other, object)) {
      return `${identity(object)} must be ${JSON.stringify(object)}, got ${JSON.stringify(other)}`;
    }
  }
  return undefined;
}

function identity({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
