import { expect, test } from '@jest/globals';
import { readCatalog } from '../../catalog/read-catalog.ts';
import { renderCatalogText } from '../../catalog/write-catalog.ts';
import { validateCatalogText, sound } from './catalogs.ts';

const read = (text: string) => readCatalog([{ file: 'c', text }]).catalog;

test('consecutive JSON objects are a catalog, as `opm render` writes them', () => {
  const text = sound()
    .map((blob) => JSON.stringify(blob, undefined, 4))
    .join('\n');
  expect(validateCatalogText(text)).toEqual({ errors: [], warnings: [] });
  expect(read(text).bundles.map(({ name }) => name)).toEqual([
    'redis.v1.0.0',
    'redis.v1.1.0',
    'redis.v1.2.0',
  ]);
});

test('an error in JSON has its line and its column', () => {
  const text =
    '{"schema": "olm.package", "name": "a"}\n{\n  "schema": "olm.channel",\n  "name": 1\n}';
  expect(validateCatalogText(text).errors).toEqual([
    'catalog-type c.yaml:4:11 name must be a text, got 1',
  ]);
});

test('braces and quotes within texts do not end an object', () => {
  const text = '{"schema": "a", "x": "}\\"{"} {"schema": "b", "y": {"z": "\\\\"}}';
  expect(read(text).others.map(({ schema }) => schema)).toEqual(['a', 'b']);
});

test('YAML that begins with a brace is YAML', () => {
  expect(read('{schema: a, x: b}\n').others).toEqual([{ schema: 'a', x: 'b' }]);
});

test('a missing field is empty, as in OLM', () => {
  expect(read('schema: olm.bundle\n').bundles).toEqual([
    { schema: 'olm.bundle', name: '', package: '', image: '', properties: [] },
  ]);
});

test('field names match in any case, and unknown fields are ignored', () => {
  const text = 'Schema: olm.package\nname: redis\ndefaultchannel: stable\nlogo: x\n';
  const { packages } = read(text);
  expect(packages).toEqual([{ schema: 'olm.package', name: 'redis', defaultChannel: 'stable' }]);
  const { warnings } = validateCatalogText(text);
  expect(warnings).toContain(
    "catalog-field c.yaml:3:1 defaultchannel must be spelled as it is known, got 'defaultchannel'; did you mean 'defaultChannel'?",
  );
  expect(warnings.filter((line) => line.includes("'logo'"))).toHaveLength(1);
});

test('a field that occurs twice in different case is an error', () => {
  expect(validateCatalogText('schema: olm.package\nname: a\nName: b\n').errors).toEqual([
    'catalog-repeated-field c.yaml:3:1 Name must be there once, got name, Name: OLM treats them as the same key',
  ]);
});

test.each([
  ['a list', '- a\n', 'catalog-schema'],
  ['an object without a schema', 'name: a\n', 'catalog-schema'],
  ['a schema that is not text', 'schema: 1\n', 'catalog-type'],
  ['a name that is not text', 'schema: x\nname: [a]\n', 'catalog-type'],
  ['entries that are not a list', 'schema: olm.channel\nentries: a\n', 'catalog-type'],
  ['no YAML', 'a: [\n', 'yaml'],
  ['a template', 'schema: {{ .Values.schema }}\n', 'yaml'],
])('%s is an error at its position', (_, text, rule) => {
  const { errors } = validateCatalogText(text);
  expect(errors.map((line) => line.split(' ')[0])).toEqual([rule]);
  expect(errors[0]).toMatch(/c\.yaml:\d+:\d+ /);
});

test('an empty file is a warning', () => {
  expect(validateCatalogText('').warnings).toEqual([
    'empty-file c.yaml must contain an object of a catalog, got nothing',
  ]);
});

test('names of inherited properties are names like any other', () => {
  const text = 'schema: constructor\n---\nschema: olm.package\nname: a\ntoString: x\n';
  expect(validateCatalogText(text).errors.filter((line) => !line.includes('channel'))).toEqual([]);
});

test('a written catalog is read back unchanged, in YAML and in JSON', () => {
  const catalog = read(
    sound()
      .map((blob) => JSON.stringify(blob))
      .join(' '),
  );
  expect(read(renderCatalogText(catalog))).toEqual(catalog);
  expect(read(renderCatalogText(catalog, 'json'))).toEqual(catalog);
});
