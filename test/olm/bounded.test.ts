import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileGlob, compileKindGlob } from '../../model/argocd/patterns/glob.ts';
import { readDefinitions } from '@tenantry/crd/manifests';
import { validateDefinition } from '@tenantry/crd/validation';
import { parseLabelSelector } from '@tenantry/kube/label-selector';
import { parseQuantity } from '@tenantry/kube/quantity';
import { decodeDocument, readDocuments, readLoosely } from '@tenantry/kube/yaml/read';
import { checkCatalog } from '@tenantry/olm/catalog/check-catalog';
import { readCatalog } from '@tenantry/olm/catalog/read-catalog';
import { buildIgnoreFilter } from '@tenantry/olm/catalog-folder/ignore-file';
import { readCatalogFolder } from '@tenantry/olm/catalog-folder/read-catalog-folder';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import { validateBundle } from '@tenantry/olm/rules/validate-bundle';
import { compilePattern } from '@tenantry/crd/schema/pattern';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { testUnless } from '../skipping.ts';

/** The time in milliseconds within which any of these inputs is read, on a busy machine. */
const A_MOMENT = 20_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bounded-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nests: readonly (readonly [open: string, inner: string, close: string])[] = [
  ['[', '', ']'],
  ['{"a":', '1', '}'],
  ['[{"a":', '1', '}]'],
];
const nest = fc
  .tuple(fc.constantFrom(...nests), fc.constantFrom(1, 30, 70, 240, 490, 510, 5000, 50_000))
  .map(([[open, inner, close], depth]) => open.repeat(depth) + inner + close.repeat(depth));

const definition = (schema: string): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'as.a.example.com' },
    spec: {
      group: 'a.example.com',
      scope: 'Namespaced',
      names: { kind: 'A', plural: 'as', singular: 'a' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: '@' } }],
    },
  }).replace('"@"', () => `{"type":"object","properties":{"spec":${schema}}}`);

function askDefinition(text: string): void {
  for (const { manifest: one } of readDefinitions('a.json', text).definitions) {
    validateDefinition(one);
  }
}

function askBundle(value: string): void {
  const bundle = mkdtempSync(join(folder, 'bundle-'));
  const files: Readonly<Record<string, string>> = {
    'manifests/a.json': `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"x":${value}}`,
    'manifests/csv.json': JSON.stringify({
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'ClusterServiceVersion',
      metadata: {
        name: 'a.v1.0.0',
        annotations: { 'alm-examples': value, 'olm.properties': value },
      },
      spec: { version: '1.0.0' },
    }),
    'metadata/annotations.yaml': `annotations: ${value}`,
    'metadata/properties.yaml': `properties: [{type: x, value: ${value}}]`,
    'metadata/dependencies.yaml': `dependencies: [{type: olm.constraint, value: ${value}}]`,
  };
  for (const part of ['manifests', 'metadata']) mkdirSync(join(bundle, part));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(bundle, name), text);
  validateBundle(readBundle(bundle), { suite: 'community', optional: ['good-practices'] });
}

function askLayout(value: string): void {
  const layout = mkdtempSync(join(folder, 'layout-'));
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(join(layout, 'index.json'), `{"manifests":${value}}`);
  readBundle(layout);
}

const readers: readonly (readonly [what: string, read: (value: string) => void])[] = [
  ['YAML', readDocuments],
  ['YAML that others wrote', readLoosely],
  ['YAML that a program decodes', decodeDocument],
  ['a schema', (value) => askDefinition(definition(value))],
  [
    'a default',
    (value) =>
      askDefinition(
        definition(
          `{"type":"object","x-kubernetes-preserve-unknown-fields":true,"default":{"a":${value}}}`,
        ),
      ),
  ],
  [
    'a value of an enum',
    (value) => askDefinition(definition(`{"type":"string","enum":[${value}]}`)),
  ],
  [
    'a catalog',
    (value) => {
      const text = `{"schema":"olm.bundle","name":"a","properties":[{"type":"x","value":${value}}]}`;
      checkCatalog(readCatalog([{ file: 'a.json', text }]).catalog);
    },
  ],
  ['a bundle', askBundle],
  ['an image layout', askLayout],
];

test.each(readers)('%s of any depth is read completely, without a stack overflow', (_, read) => {
  const started = performance.now();
  fc.assert(
    fc.property(nest, (value) => {
      read(value);
    }),
    runs(25),
  );
  expect(performance.now() - started).toBeLessThan(2 * A_MOMENT);
});

const wrappers: readonly (readonly [open: string, close: string])[] = [
  ['{"type":"array","items":', '}'],
  ['{"type":"object","properties":{"a":', '}}'],
  ['{"type":"object","additionalProperties":', '}'],
  ['{"allOf":[', ']}'],
  ['{"not":', '}'],
];

test.each(wrappers)('nested schemas, %s, cause no stack overflow', (open, close) => {
  for (const depth of [50, 240, 490, 20_000]) {
    askDefinition(definition(`${open.repeat(depth)}{"type":"string"}${close.repeat(depth)}`));
  }
});

test('JSON of a catalog that is nested too deeply is one error with its position', () => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000);
  const { problems } = readCatalog([
    { file: 'a.json', text: `{"schema":"olm.package","name":"a"}\n{"schema":"x","a":${deep}}` },
  ]);
  expect(problems).toEqual([
    expect.objectContaining({
      file: 'a.json',
      line: 2,
      rule: 'yaml',
      message: 'must be nested at most 500 deep, got more',
    }),
  ]);
});

test('examples that are nested too deeply are an error of the bundle', () => {
  const bundle = mkdtempSync(join(folder, 'examples-'));
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: 'a.v1.0.0',
      annotations: { 'alm-examples': '['.repeat(50_000) + ']'.repeat(50_000) },
    },
    spec: { version: '1.0.0' },
  };
  mkdirSync(join(bundle, 'manifests'));
  writeFileSync(join(bundle, 'manifests', 'csv.json'), JSON.stringify(csv));
  const messages = validateBundle(readBundle(bundle)).map(({ message }) => message);
  expect(messages).toContain('must be nested at most 500 deep, got more');
});

const piece = fc.constantFrom(
  'a*',
  '*',
  '?',
  '**',
  '**/',
  '/',
  '[a-z]*',
  '[!b]',
  'a',
  '{a,a*}',
  '\\a',
  '{',
  '[',
);
const glob = fc
  .tuple(fc.array(piece, { maxLength: 8 }), fc.nat(30))
  .map(([parts, times]) => parts.join('').repeat(times));

test('a glob with any pieces, in any number, is matched quickly', () => {
  const names = [60, 3000].map((length) => `${'a'.repeat(length)}b`);
  const started = performance.now();
  fc.assert(
    fc.property(glob, (pattern) => {
      for (const name of names) {
        buildIgnoreFilter([{ folder: '', text: pattern }])(name);
        compileGlob(pattern)?.(name);
        compileKindGlob(pattern)?.(name);
      }
    }),
    runs(60),
  );
  expect(performance.now() - started).toBeLessThan(2 * A_MOMENT);
});

test('an ignore file with more patterns than the limit is refused', () => {
  const catalog = mkdtempSync(join(folder, 'ignoring-'));
  writeFileSync(join(catalog, '.indexignore'), 'a*\n'.repeat(1001));
  expect(readCatalogFolder(catalog).problems.map(({ message }) => message)).toEqual([
    'must contain, together with other such files, at most 1000 patterns, got more',
  ]);
});

const atom = fc.constantFrom(
  'a',
  '(a*)*',
  '(a|aa)+',
  '.*',
  '[a-z]+',
  'a?',
  '(?:a?b?)*',
  '^',
  '$',
  '\\pL',
  'a{1,50}',
  '(',
);
const pattern = fc
  .tuple(fc.array(atom, { maxLength: 6 }), fc.nat(20))
  .map(([parts, times]) => parts.join('').repeat(times));

test(
  'a pattern with any pieces is matched quickly',
  () => {
    const started = performance.now();
    fc.assert(
      fc.property(pattern, (source) => {
        const compiled = compilePattern(source);
        for (const length of [40, 2000, 20_000]) {
          const text = `${'a'.repeat(length)}!`;
          if (!compiled.takesTooLong(text)) compiled.test(text);
        }
      }),
      runs(60),
    );
    expect(performance.now() - started).toBeLessThan(3 * A_MOMENT);
  },
  4 * A_MOMENT,
);

test('a long pattern is not matched against a long text', () => {
  const { takesTooLong } = compilePattern('a?'.repeat(30_000));
  expect([takesTooLong('a'), takesTooLong('a'.repeat(100_000))]).toEqual([false, true]);
});

test('quantities and selectors of any length are read or refused quickly', () => {
  const started = performance.now();
  for (const text of [
    '1'.repeat(500_000),
    `1.${'1'.repeat(500_000)}`,
    `${'1'.repeat(500_000)}Ei`,
  ]) {
    parseQuantity(text);
  }
  for (const text of [
    '('.repeat(100_000),
    'a=b,'.repeat(50_000),
    `a in (${'b,'.repeat(50_000)})`,
  ]) {
    try {
      parseLabelSelector(text);
    } catch (error) {
      expect(error).not.toBeInstanceOf(RangeError);
    }
  }
  expect(performance.now() - started).toBeLessThan(A_MOMENT);
});

const trials = process.env['TENANTRY_TRIALS'];

testUnless(trials ? undefined : 'TENANTRY_TRIALS names no folder')(
  'inputs on which readers once hung or overflowed are read completely',
  () => {
    const definitionsOf = (name: string) =>
      readDefinitions('crd.json', readFileSync(join(trials!, name, 'crd.json'), 'utf8'))
        .definitions;
    const errors = (name: string): readonly string[] =>
      definitionsOf(name).flatMap(({ manifest: one }) =>
        validateDefinition(one).errors.map(({ message }) => message),
      );
    expect(errors('crd-cel-stack')).toEqual([]);
    expect(errors('crd-cel-cost')).toEqual([
      expect.stringContaining('operation cancelled: actual cost limit exceeded'),
    ]);
    const catalog = join(folder, 'indexignore');
    cpSync(join(trials!, 'indexignore-redos', 'cat'), catalog, { recursive: true });
    expect(readdirSync(catalog)).toContain('.indexignore');
    expect(readCatalogFolder(catalog).catalog.packages).toHaveLength(1);
  },
);
