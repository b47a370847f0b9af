import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { importDefinitions, type FoundDefinition } from '../../import.ts';
import { format, resolveConfig } from 'prettier';
import { readDefinitions } from '../../manifests.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { corpusTests } from '../corpus-tests.ts';
import { crd, imported } from './project.ts';

const given = await corpusTests();

/** Small schemas with few names, so that objects collide in structure and in name. */
const { schema } = fc.letrec<{ schema: JSONSchemaProps }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JSONSchemaProps>(
      { type: 'string' },
      { type: 'string', default: 'a' },
      { type: 'string', enum: ['a', 'b'.repeat(70)] },
      { type: 'integer', nullable: true },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    fc
      .dictionary(
        fc.constantFrom(
          'a',
          'as',
          'a-s',
          'aS',
          'b',
          'bs',
          'stored',
          'aStored',
          'input',
          'spec',
          'conditions',
        ),
        tie('schema'),
        { minKeys: 1, maxKeys: 5 },
      )
      .map((properties) => ({ type: 'object', properties })),
  ),
}));

/** Returns the same value with the keys of every mapping in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item)]));
}

test('the order of fields has no effect, and no two types have the same name', () => {
  fc.assert(
    fc.property(schema, schema, (spec, status) => {
      const manifest = crd({ type: 'object', properties: { spec, status } });
      const { text } = imported(manifest);
      expect(imported(reversed(manifest) as object).text).toBe(text);
      const types = [...text.matchAll(/^export (?:interface|type|class) (\w+)/gm)].map(
        ([, name]) => name,
      );
      expect(types.toSorted()).toEqual([...new Set(types)].toSorted());
    }),
    runs(100),
  );
});

test('a definition that occurs twice is imported once, and two different ones are refused', () => {
  const found = (file: string, manifest: object): FoundDefinition => ({
    located: readDefinitions(file, JSON.stringify(manifest)).definitions[0]!,
    source: '.',
  });
  const one = crd({ type: 'object' });
  const same = importDefinitions([found('b.json', reversed(one) as object), found('a.json', one)]);
  expect(same).toMatchObject({ modules: [{ path: 'example.com/boxes.ts' }], problems: [] });
  const other = crd({ type: 'object', description: 'Another.' });
  expect(importDefinitions([found('b.json', other), found('a.json', one)]).problems).toEqual([
    expect.objectContaining({
      file: 'b.json',
      path: 'metadata.name',
      message: expect.stringMatching(
        /^must be defined once, got 'boxes\.example\.com' again, and different from a\.json:1:\d+$/,
      ),
    }),
  ]);
});

test('a failure of the import itself is reported, and the other definitions are imported', () => {
  const { definitions } = readDefinitions('a.json', JSON.stringify(crd({ type: 'object' })));
  const { manifest } = definitions[0]!;
  const versions = manifest.spec.versions.map((version) => ({
    ...version,
    get schema(): never {
      throw new TypeError('no such thing');
    },
  }));
  const located = {
    ...definitions[0]!,
    manifest: { ...manifest, spec: { ...manifest.spec, versions } },
  };
  const names = { kind: 'Case', plural: 'cases' };
  const other = readDefinitions('b.json', JSON.stringify(crd({ type: 'object' }, { names })));
  const found = [located, ...other.definitions].map((one) => ({ located: one, source: '.' }));
  const { modules, problems, failures } = importDefinitions(found);
  expect({ paths: modules.map(({ path }) => path), problems }).toEqual({
    paths: ['example.com/cases.ts'],
    problems: [],
  });
  expect(failures).toEqual([
    {
      problem: {
        file: 'a.json',
        line: 1,
        column: 1,
        path: '',
        rule: 'internal',
        message:
          "'boxes.example.com' could not be turned into TypeScript, internal error: TypeError: no such thing",
      },
      error: expect.stringMatching(/^TypeError: no such thing\n +at /),
    },
  ]);
});

given.test('the order of definitions changes nothing', () => {
  const found = given.crds.slice(0, 40).map((located) => ({ located, source: 'all' }));
  const texts = importDefinitions(found).modules;
  expect(texts).toHaveLength(40);
  expect(importDefinitions(found.toReversed()).modules).toEqual(texts);
  expect(importDefinitions(found).modules).toEqual(texts);
});

given.test('what is imported is formatted as prettier formats it', async () => {
  const style = { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' };
  const some = given.crds.filter((_, i) => i % 15 === 0);
  const found = some.map((located) => ({ located, source: 'all' }));
  for (const { text } of importDefinitions(found).modules) {
    expect(await format(text, style)).toBe(text);
  }
});
