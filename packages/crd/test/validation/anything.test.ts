import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { validateDefinitionUpdate } from '../../validation/update.ts';
import { validateDefinition } from '../../validation/validate.ts';
import { definitionOf } from '@tenantry/test-tools/verdicts/crds/definitions/case';
import { definitions } from '@tenantry/test-tools/cluster/definitions-generated';
import { runs } from '@tenantry/kube/test/yaml/runs';

const rulesOf = (manifest: unknown): string[] =>
  validateDefinition(manifest).errors.map(({ rule }) => rule);

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'not-json'],
  ['null', null, 'field-type'],
  ['a text', 'apiVersion: v1', 'field-type'],
  ['a list', [definitionOf({})], 'field-type'],
  ['an empty mapping', {}, 'not-a-definition'],
  ['a List', { apiVersion: 'v1', kind: 'List', items: [] }, 'not-a-definition'],
  ['v1beta1', definitionOf({ apiVersion: 'apiextensions.k8s.io/v1beta1' }), 'not-a-definition'],
  ['another object', { apiVersion: 'v1', kind: 'ConfigMap' }, 'not-a-definition'],
  ['a number that is none', definitionOf({ 'field.minimum': NaN }), 'not-json'],
  ['a function', definitionOf({ 'field.default': () => 1 }), 'not-json'],
])('%s is one clear error', (_, manifest, rule) => {
  expect(new Set(rulesOf(manifest))).toEqual(new Set([rule]));
});

test('a definition that holds itself is an error', () => {
  const schema: Record<string, unknown> = { type: 'object' };
  schema['properties'] = { a: schema };
  expect(rulesOf(definitionOf({ field: schema }))).toEqual(['not-json']);
});

test('a schema used in many places is none that holds itself', () => {
  const shared = { type: 'string' };
  const field = { type: 'object', properties: { a: shared, b: shared } };
  expect(rulesOf(definitionOf({ field }))).toEqual([]);
});

test('a schema that is very deep is not checked', () => {
  let schema: object = { type: 'string' };
  for (let i = 0; i < 3000; i += 1) schema = { type: 'array', items: schema };
  const manifest = definitionOf({ field: {} }) as { spec: { versions: [{ schema: object }] } };
  manifest.spec.versions[0].schema = { openAPIV3Schema: schema };
  expect(validateDefinition(manifest)).toMatchObject({
    errors: [],
    notChecked: [{ rule: 'depth' }],
  });
});

test('fields that are undefined or under symbols are not there', () => {
  const field = { type: 'string', default: undefined, [Symbol('words')]: { must: 'a' } };
  expect(rulesOf(definitionOf({ field }))).toEqual([]);
});

test('nothing is thrown, whatever the manifest', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
      const { errors } = validateDefinition(value);
      expect(errors.length).toBeGreaterThan(0);
      const spec = validateDefinition({ ...(definitionOf({}) as object), spec: value });
      expect(Array.isArray(spec.errors)).toBe(true);
      validateDefinition(definitionOf({ field: value }));
      validateDefinitionUpdate(value, definitionOf({ field: value }));
    }),
    runs(300),
  );
});

test('a manifest is not changed, and one that is frozen does as well', () => {
  fc.assert(
    fc.property(definitions, (manifest) => {
      const before = JSON.stringify(manifest);
      const verdict = validateDefinition(manifest);
      expect(JSON.stringify(manifest)).toBe(before);
      expect(validateDefinition(frozen(manifest))).toEqual(verdict);
    }),
    runs(50),
  );
});

test('a definition that is accepted may take its own place', () => {
  fc.assert(
    fc.property(definitions, (manifest) => {
      fc.pre(validateDefinition(manifest).errors.length === 0);
      expect(validateDefinitionUpdate(manifest, manifest).errors).toEqual([]);
    }),
    runs(100),
  );
});

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
