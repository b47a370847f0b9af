import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readClusterObjects } from '../../cli/commands/operator/manifests.ts';
import { root } from '../structure/tracked.ts';

let folder: string;

const account = (name: string): string =>
  `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: ${name}, namespace: a }\n`;

const files: Readonly<Record<string, string>> = {
  'clusters/a.yaml': account('a'),
  'olm/bundle/1.0.0/manifests/account.yaml': account('of-the-bundle'),
  'olm/bundle/1.0.0/manifests/csv.yaml':
    'apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: { name: a.v1.0.0 }\n',
  'olm/bundle/1.0.0/metadata/annotations.yaml': 'annotations: { a: b }\n',
  'olm/catalog/a/catalog.yaml':
    '---\nschema: olm.package\nname: a\n---\nschema: olm.channel\nname: stable\npackage: a\n',
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'manifests-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const namesOf = async (source: string): Promise<string[]> => {
  const { objects } = await readClusterObjects([source], 'all');
  return objects.map(({ object }) => object.metadata.name!);
};

test('what a folder holds for OLM is left out, and reported', async () => {
  expect(await namesOf(folder)).toEqual(['a']);
  const { warnings } = await readClusterObjects([folder], 'all');
  expect(
    warnings.map(({ file, message }) => `${file!.slice(folder.length + 1)} ${message}`),
  ).toEqual([
    'olm/bundle/1.0.0 is left out: it is a bundle: give it to tenantry bundle run',
    'olm/catalog/a/catalog.yaml is left out: it is a file of a catalog, which OLM reads from an image',
  ]);
});

test('a bundle that is named itself is read, and so is a file of a catalog', async () => {
  const bundle = join(folder, 'olm/bundle/1.0.0');
  await expect(readClusterObjects([bundle], 'all')).rejects.toThrow(
    'give its bundle to tenantry bundle run',
  );
  await expect(
    readClusterObjects([join(folder, 'olm/catalog/a/catalog.yaml')], 'all'),
  ).rejects.toThrow('must be a Kubernetes object');
});

test('the folder that this repository renders can be given to a cluster', async () => {
  const { objects, warnings } = await readClusterObjects([join(root, 'dist')], 'all');
  expect(objects.length).toBeGreaterThan(10);
  expect(warnings.map(({ rule }) => rule)).toEqual(['for-olm', 'for-olm']);
});
