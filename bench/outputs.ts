import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@tenantry/kube/object';
import { readDocuments } from '@tenantry/kube/yaml/read';

/** The output of a program: single objects, Lists, or a list of Lists. */
export interface Output {
  readonly format: 'json' | 'yaml';
  readonly files: readonly string[];
}

const OBJECT = { json: /"apiVersion":/g, yaml: /^[ -]*apiVersion:/gm };
const LIST = { json: /"kind": ?"List"/g, yaml: /^[ -]*kind: List$/gm };

/**
 * Counts the objects of an output, without the Lists themselves. It is fast, and correct as long as no
 * object contains an `apiVersion` within. No object of the synthetic fleet does.
 */
export function countObjects({ format, files }: Output): number {
  return files.reduce((sum, file) => {
    const text = readFileSync(file, 'utf8');
    const times = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
    return sum + times(OBJECT[format]) - times(LIST[format]);
  }, 0);
}

/** @throws {Error} when a file does not have the format */
export function readObjects({ format, files }: Output): KubeObject[] {
  const read = format === 'json' ? readJson : readYaml;
  return files.flatMap(read).flatMap(objectsWithin);
}

function readJson(file: string): unknown[] {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return Array.isArray(value) ? value : [value];
}

function readYaml(file: string): unknown[] {
  const { documents, problems } = readDocuments(readFileSync(file, 'utf8'));
  if (problems.length > 0) throw new Error(`${file}: ${problems[0]!.message}`);
  return documents.map(({ value }) => value);
}

function objectsWithin(value: unknown): KubeObject[] {
  const object = value as KubeObject;
  return object.kind === 'List' ? (object['items'] as unknown[]).flatMap(objectsWithin) : [object];
}

/** Lists the files below a folder whose path matches. */
export function filesBelow(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => wanted.test(file));
}

/** Describes the first object that differs between both; undefined when all are equal. */
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

function identity({ apiVersion, kind, metadata }: KubeObject): string {
  return `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
