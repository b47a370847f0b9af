import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { objectsIn, type Wanted } from '../install/objects/manifests.ts';
import type { ManifestObject } from '../install/objects/place.ts';
import { InvalidInput, type Problem } from '../kube/problem.ts';
import {
  manifestFiles,
  readFile,
  readStandardInput,
  unreadable,
  Unreadable,
} from './manifest-files.ts';

/**
 * The objects of files, of folders with all below them, of bundles (their manifests/), and of standard input (-).
 * @throws {InvalidInput} with all that is wrong with them, or where there are none
 */
export async function readManifests(
  sources: readonly string[],
  wanted: Wanted,
): Promise<readonly ManifestObject[]> {
  const objects: ManifestObject[] = [];
  const problems: Problem[] = [];
  for (const source of sources) {
    try {
      const before = objects.length + problems.length;
      for (const [file, text] of await textsOf(source)) {
        const read = objectsIn(file, text, wanted);
        objects.push(...read.objects);
        problems.push(...read.problems);
      }
      if (objects.length + problems.length === before) problems.push(nothingIn(source, wanted));
    } catch (error) {
      problems.push(unreadable(source === '-' ? 'standard input' : source, error));
    }
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return objects;
}

async function textsOf(source: string): Promise<[file: string, text: string][]> {
  if (source === '-') return [['-', await readStandardInput()]];
  const found = statSync(source, { throwIfNoEntry: false });
  if (found?.isFile()) return [[source, readFile(source)]];
  if (!found?.isDirectory()) {
    throw new Unreadable('must be a file, a folder, a bundle, or - for standard input');
  }
  const folder = isBundle(source) ? join(source, 'manifests') : source;
  return manifestFiles(folder).map((file) => [file, readFile(file)]);
}

function isBundle(folder: string): boolean {
  return ['manifests', 'metadata'].every((name) => existsSync(join(folder, name)));
}

function nothingIn(source: string, wanted: Wanted): Problem {
  const what = wanted === 'all' ? 'an object' : 'a CustomResourceDefinition';
  return { file: source, path: '', message: `must hold ${what}, got none`, rule: 'file' };
}
