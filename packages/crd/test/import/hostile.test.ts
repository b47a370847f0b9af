import { expect, test } from '@jest/globals';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { readDefinitions } from '../../manifests.ts';
import { importDefinitions } from '../../import.ts';
import { measureCpuTime } from '@tenantry/test-tools/cpu-time';
import { UserProject } from '@tenantry/test-tools/surface/user-project';
import { crd, hasAny, imported } from './project.ts';

const string = { type: 'string' };

/** Texts that could end a comment, a string, a template or a line, or be read as something else. */
const texts = [
  '*/ export const a: any = 1; /*',
  '`${process.exit(1)}`',
  "' + process.exit(1) + '",
  '"; process.exit(1); //',
  'a\\',
  'a\u2028b\u2029c\u0000d\u0085e',
  'line\n * @deprecated\n@internal {@link x}',
  '</script><!--',
  '\u{1F600} \uD800 lone',
];
const names = [
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'hasOwnProperty',
  'class',
  'readonly',
  'any',
  'default',
  '$ref',
  '3scale',
  'with space',
  'with-dash',
  "it's",
  '"quoted"',
  'a*/b',
  '${a}',
  '`',
  'größe',
  '名前',
  '',
  '日本 語',
  'Input',
  'spec',
  'Spec',
];

/** Fields as in JSON, where __proto__ is a field like any other. */
function fields<T>(value: (name: string) => T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}

function importsOf(kinds: readonly (readonly [kind: string, schema: JSONSchemaProps])[]) {
  return kinds.map(([kind, schema], i) =>
    imported(
      crd(
        { type: 'object', properties: { spec: schema } },
        { names: { kind, plural: `kind${i}s` } },
      ),
    ),
  );
}

test('the module of any definition compiles, contains no any, and means the same', async () => {
  const nested = (name: string): JSONSchemaProps => ({
    type: 'object',
    description: texts.join(' '),
    properties: { [`${name} of it`]: string, value: { ...string, enum: texts } },
  });
  const many = Object.fromEntries(
    texts.map((text, i): [string, JSONSchemaProps] => [
      `field${i}`,
      {
        ...string,
        description: text,
        pattern: text,
        format: text,
        default: text,
        'x-kubernetes-validations': [{ rule: text, message: text }],
      },
    ]),
  );
  let deep: JSONSchemaProps = string;
  for (let i = 0; i < 25; i += 1) {
    deep = { type: 'object', properties: { ['x'.repeat(100)]: deep } };
  }
  const kinds = ['Schema', 'Omit', 'Object', 'Record', 'class', 'my-kind', 'BoxSpec', '日本'];
  const modules = importsOf([
    ['Box', { type: 'object', properties: fields(nested), required: names }],
    ['Text', { type: 'object', description: texts.join('\n\n'), properties: many }],
    ['Deep', deep],
    ...kinds.map((kind): [string, JSONSchemaProps] => [
      kind,
      { type: 'object', properties: { spec: nested('a'), a: { ...string, default: 'b' } } },
    ]),
  ]);
  const main = modules.map(
    ({ path }, i) => `
import * as module${i} from './${path}';
print(Object.values(module${i}).find((value) => typeof value === 'object'));
`,
  );
  const project = new UserProject({
    ...Object.fromEntries(modules.map(({ path, text }) => [path, text])),
    'main.ts': `
import { crdManifest, type Definition } from '@tenantry/crd';
function print(definition: unknown): void {
  console.log(JSON.stringify(crdManifest(definition as Definition)));
}
${main.join('')}`,
  });
  try {
    expect(await project.compile()).toBe('');
    const lines = (await project.run('main.ts')).trim().split('\n');
    const again = lines.map((line) => imported(JSON.parse(line) as object));
    expect(again.map(({ text }) => text)).toEqual(modules.map(({ text }) => text));
  } finally {
    project.remove();
  }
  for (const { text } of modules) expect(hasAny(text)).toBe(false);
});

test('a schema of a megabyte is imported in seconds', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 5000 }, (_, i) => [
      `field${i}`,
      {
        type: 'object',
        description: 'd'.repeat(100),
        properties: { [`a${i % 50}`]: string, b: { type: 'integer', default: i } },
      },
    ]),
  );
  let text = '';
  const taken = measureCpuTime(() => {
    ({ text } = imported(
      crd({ type: 'object', properties: { spec: { type: 'object', properties } } }),
    ));
  });
  expect(taken).toBeLessThan(10_000);
  expect(text).toContain('readonly field4999?: BoxSpecField4999;');
});

test('names that could lead to another folder are refused', () => {
  const manifests = [
    crd({ type: 'object' }, { group: '../../etc' }),
    crd({ type: 'object' }, { group: 'a..b' }),
    crd({ type: 'object' }, { names: { kind: 'Box', plural: 'a/b' } }),
    crd({ type: 'object' }, { names: { kind: 'Box', plural: 'Boxes' } }),
    crd({ type: 'object' }, { versions: [] }),
    crd({}, { versions: [{ name: "v1'", served: true, storage: true }] }),
    crd(
      {},
      {
        versions: [
          { name: 'v1', served: true, storage: true },
          { name: 'v1', served: true, storage: false },
        ],
      },
    ),
  ];
  const messages = manifests.flatMap((manifest) => {
    const { definitions } = readDefinitions('a.json', JSON.stringify(manifest));
    const found = definitions.map((located) => ({ located, source: 'a.json' }));
    const { modules, problems } = importDefinitions(found);
    expect(modules).toEqual([]);
    return problems.map(({ path, message }) => `${path} ${message}`);
  });
  expect(messages).toEqual([
    "spec.group must be lower-case letters, digits and '-', with '.' between, got '../../etc'",
    "spec.group must be lower-case letters, digits and '-', with '.' between, got 'a..b'",
    "spec.names.plural must be lower-case letters, digits and '-', got 'a/b'",
    "spec.names.plural must be lower-case letters, digits and '-', got 'Boxes'",
    'spec.versions must have a version, got an empty list',
    "spec.versions[0].name must be lower-case letters, digits and '-', got 'v1''",
    "spec.versions[1].name must be a version of its own, got 'v1' again",
  ]);
});
