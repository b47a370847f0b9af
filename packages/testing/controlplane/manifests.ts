import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMapping } from '@tenantry/kube/mapping';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';
import type { Client } from './client.ts';
import type { Body } from './objects.ts';
import { until } from '../waiting/until.ts';

/** An object, or the path of a YAML or JSON file, or of a folder of such files. */
export type Manifest = object | string;

/**
 * Loads objects in their order; those of a folder in the order of the file names.
 * @throws {InvalidInput} for invalid YAML, with file, line and column
 */
export function loadObjects(manifests: readonly Manifest[]): object[] {
  return manifests.flatMap((one) =>
    typeof one === 'string' ? listFiles(one).flatMap(parseObjects) : [one],
  );
}

function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

function parseObjects(file: string): object[] {
  const { documents, problems } = readDocuments(readFileSync(file, 'utf8'));
  const wrong = problems.map((problem): Problem => ({ ...problem, file, path: '', rule: 'yaml' }));
  const objects: object[] = [];
  for (const document of documents) {
    const { value } = document;
    if (isMapping(value)) objects.push(value);
    else
      wrong.push({
        ...document.positionAt([]),
        file,
        path: '',
        message: 'must be an object',
        rule: 'yaml',
      });
  }
  if (wrong.length > 0) throw new InvalidInput(wrong);
  return objects;
}

/**
 * Applies an object as the administrator (server-side, with force), and waits until a definition is
 * served.
 * @throws {Error} where the API server rejects or changes it, also for a field that the kind does not
 * have
 */
export async function applyObject(admin: Client, object: Body): Promise<void> {
  const options = { fieldManager: 'test', fieldValidation: 'Strict', force: true } as const;
  const { status, body } = await admin.apply(object, options);
  if (status > 201) {
    const { kind, metadata } = object;
    throw new Error(
      `the API server must take ${kind} ${metadata?.name}, got ${status} ${body.message}`,
    );
  }
  if (object.kind === 'CustomResourceDefinition') await waitUntilServed(admin, object);
}

async function waitUntilServed(admin: Client, definition: Body): Promise<void> {
  const { group, names, versions } = definition.spec as {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  for (const { name } of versions.filter(({ served }) => served)) {
    const kind = { apiVersion: `${group}/${name}`, kind: names.kind };
    await until(`${kind.apiVersion} ${kind.kind} is served`, async () => {
      return (await admin.list(kind, { limit: 1 })).status === 200;
    });
  }
}
