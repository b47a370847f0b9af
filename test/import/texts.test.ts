import { expect, test } from '@jest/globals';
import { importManifests } from '../../import/import-manifests.ts';

const namespace = (more = ''): string =>
  `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n${more}`;
const config = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: shop }\ndata: { ${name}: x }\n`;

/** Imports files, and returns the texts that it writes by path. */
function importFiles(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const sources = Object.entries(files).map(([file, text]) => ({ file, text }));
  const choices = { className: 'standard', cluster: 'eu1', pinned: new Map<string, string>() };
  const result = importManifests(sources, choices);
  if (!('proof' in result)) throw new Error('the manifests must be readable');
  expect(result.proof.objects.map(({ verdict }) => verdict)).toEqual(sources.map(() => 'equal'));
  return new Map(result.files.map(({ path, text }) => [path, text]));
}

test('a copied file has a name that is read, whatever the name of its source', () => {
  const names = ['a/.yaml', 'a/x y.yml', 'b/x y.yml', '-', 'a/..yaml'];
  const files = Object.fromEntries(names.map((name, i) => [name, config(`c${i}`)]));
  const texts = importFiles({ 'shop.yaml': namespace(), ...files });
  expect([...texts.keys()].filter((path) => path.startsWith('resources/')).toSorted()).toEqual([
    'resources/shop/manifests-2.yaml',
    'resources/shop/manifests.yaml',
    'resources/shop/x-y-2.yaml',
    'resources/shop/x-y.yaml',
    'resources/shop/yaml.yaml',
  ]);
});

test('a sign that begins no comment is none, and thousands of signs are not tried', () => {
  const some = namespace('  annotations:\n    a: "x # y"\n    b: p#q # yes\n');
  expect(importFiles({ 'shop.yaml': some }).get('shop.yaml')).toMatch(
    /^# Namespace shop, b: yes\napiVersion/,
  );
  const many = namespace(`  annotations: { a: "${' # '.repeat(5000)}" }\n`);
  expect(importFiles({ 'shop.yaml': many }).get('shop.yaml')).toMatch(/^apiVersion/);
});
