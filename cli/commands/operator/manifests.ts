import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  parseManifests,
  type ManifestFilter,
} from '@tenantry/operator-kit/install/objects/manifests';
import type { ManifestObject } from '@tenantry/operator-kit/install/objects/placed-objects';
import { isMapping } from '@tenantry/kube/mapping';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import { readValues, type TextValue } from '@tenantry/olm/catalog/read-catalog';
import {
  Unreadable,
  buildUnreadableProblem,
  manifestFiles,
  readFile,
  readStandardInput,
} from '../../manifest-files.ts';

/** The objects that sources hold for a cluster. */
interface ReadObjects {
  readonly objects: readonly ManifestObject[];
  /** Parts of folders that were skipped. */
  readonly warnings: readonly Problem[];
}

/**
 * Reads the objects of files, folders (recursively), bundles (their manifests/), and standard input
 * (-). In folders it skips what is meant for OLM: bundles and catalog files.
 * @throws {InvalidInput} with all problems, or when there are no objects
 */
export async function readClusterObjects(
  sources: readonly string[],
  wanted: ManifestFilter,
): Promise<ReadObjects> {
  const objects: ManifestObject[] = [];
  const warnings: Problem[] = [];
  const problems: Problem[] = [];
  for (const source of sources) {
    try {
      const before = objects.length + problems.length;
      const { texts, leftOut } = await readTexts(source);
      warnings.push(...leftOut);
      for (const [file, text] of texts) {
        const read = parseManifests(file, text, wanted);
        objects.push(...read.objects);
        problems.push(...read.problems);
      }
      if (objects.length + problems.length === before) problems.push(nothingIn(source, wanted));
    } catch (error) {
      problems.push(buildUnreadableProblem(source === '-' ? 'standard input' : source, error));
    }
  }
  if (problems.length > 0) throw new InvalidInput(problems);
  return { objects, warnings };
}

interface Texts {
  readonly texts: readonly (readonly [file: string, text: string])[];
  readonly leftOut: readonly Problem[];
}

async function readTexts(source: string): Promise<Texts> {
  const alone = (text: string): Texts => ({ texts: [[source, text]], leftOut: [] });
  if (source === '-') return alone(await readStandardInput());
  const found = statSync(source, { throwIfNoEntry: false });
  if (found?.isFile()) return alone(readFile(source));
  if (!found?.isDirectory()) {
    throw new Unreadable('must be a file, a folder, a bundle, or - for standard input');
  }
  return isBundle(source)
    ? { texts: readEach(manifestFiles(join(source, 'manifests'))), leftOut: [] }
    : withoutOlm(source);
}

const readEach = (files: readonly string[]) => files.map((file) => [file, readFile(file)] as const);

/** Returns the files of a folder that are meant for a cluster. */
function withoutOlm(folder: string): Texts {
  const bundles = new Set<string>();
  const catalogs: string[] = [];
  const outside = manifestFiles(folder).filter((file) => {
    const bundle = bundleAround(folder, file);
    if (bundle !== undefined) bundles.add(bundle);
    return bundle === undefined;
  });
  const texts = readEach(outside).filter(([file, text]) => {
    const isForOlm = isOfCatalog(text);
    if (isForOlm) catalogs.push(file);
    return !isForOlm;
  });
  const leftOut = [
    ...[...bundles].map((file) => leave(file, 'a bundle: give it to tenantry bundle run')),
    ...catalogs.map((file) => leave(file, 'a file of a catalog, which OLM reads from an image')),
  ];
  return { texts, leftOut };
}

function leave(file: string, what: string): Problem {
  return { file, path: '', message: `is left out: it is ${what}`, rule: 'for-olm' };
}

/** Returns the bundle in a folder that contains a file; undefined if there is none. */
function bundleAround(folder: string, file: string): string | undefined {
  for (let at = dirname(file); relative(folder, at) !== ''; at = dirname(at)) {
    if (isBundle(at)) return at;
  }
  return undefined;
}

/** Whether a file holds only objects of a catalog. */
function isOfCatalog(text: string): boolean {
  if (!/["']?schema["']?\s*:/.test(text)) return false;
  const { values, problems } = readValues(text);
  const isBlob = ({ value }: TextValue): boolean =>
    isMapping(value) && typeof value['schema'] === 'string' && !Object.hasOwn(value, 'kind');
  return problems.length === 0 && values.length > 0 && values.every(isBlob);
}

function isBundle(folder: string): boolean {
  return ['manifests', 'metadata'].every((name) => existsSync(join(folder, name)));
}

function nothingIn(source: string, wanted: ManifestFilter): Problem {
  const what = wanted === 'all' ? 'an object' : 'a CustomResourceDefinition';
  return { file: source, path: '', message: `must hold ${what}, got none`, rule: 'file' };
}
