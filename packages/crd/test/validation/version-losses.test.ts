import { expect, test } from '@jest/globals';
import { validateDefinition } from '../../validation.ts';
import type { CustomResourceDefinitionVersion } from '../../custom-resource-definition.ts';
import { formatPath } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { redis, stored, version, whole } from '../compatibility/given.ts';

const fields = (properties: Record<string, JSONSchemaProps>, more: JSONSchemaProps = {}) => ({
  schema: { openAPIV3Schema: whole({ type: 'object', properties, ...more }) },
});
const number: JSONSchemaProps = { type: 'integer' };
const text: JSONSchemaProps = { type: 'string' };

const warnings = (versions: readonly CustomResourceDefinitionVersion[], more: object = {}) => {
  const { errors, warnings: found } = validateDefinition(redis(versions, more));
  expect(errors).toEqual([]);
  return found
    .filter(({ rule }) => rule === 'version-losses')
    .map(({ path, message }) => `${formatPath(path)} ${message}`);
};

const lost = (i: number, from: string, what: string): string =>
  `spec.versions[${i}] must have the fields of ${from} while the conversion strategy is None, or objects lose them, got no ${what}`;

test('each of two served versions loses what the other does not have', () => {
  const old = version('v1alpha1', fields({ size: number, x: text }));
  const now = stored('v1', fields({ replicas: number, x: text }));
  const found = [lost(1, 'v1alpha1', 'spec.size'), lost(0, 'v1', 'spec.replicas')];
  expect(warnings([old, now])).toEqual(found);
  expect(warnings([old, now], { conversion: { strategy: 'None' } })).toEqual(found);
});

test('a field that one version has in addition is lost in the other alone', () => {
  const old = version('v1alpha1', fields({ x: text }));
  const now = stored('v1', fields({ x: text, y: text }));
  expect(warnings([old, now])).toEqual([lost(0, 'v1', 'spec.y')]);
});

test.each<[string, JSONSchemaProps, JSONSchemaProps, string]>([
  [
    'fields in a list',
    { type: 'array', items: { type: 'object', properties: { a: text, b: text } } },
    { type: 'array', items: { type: 'object', properties: { a: text } } },
    'spec.x["*"].b',
  ],
  [
    'fields in a map',
    {
      type: 'object',
      additionalProperties: { type: 'object', properties: { a: text, b: text } },
    },
    { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
    'spec.x["*"].b',
  ],
  [
    'the keys of a map',
    { type: 'object', additionalProperties: text },
    { type: 'object', properties: { a: text } },
    'spec.x["*"]',
  ],
  [
    'unknown fields',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { type: 'object', properties: { a: text } },
    'spec.x["*"]',
  ],
])('%s are lost where the stored version does not keep them', (_what, x, y, what) => {
  expect(warnings([version('v1alpha1', fields({ x })), stored('v1', fields({ x: y }))])).toContain(
    lost(1, 'v1alpha1', what),
  );
});

test.each<[string, JSONSchemaProps]>([
  ['keeps unknown fields', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
  ['is a map', { type: 'object', additionalProperties: text }],
])('nothing is lost in a version that %s', (_what, y) => {
  const x: JSONSchemaProps = { type: 'object', properties: { a: text } };
  const found = warnings([version('v1alpha1', fields({ x })), stored('v1', fields({ x: y }))]);
  expect(found.filter((one) => one.startsWith('spec.versions[1]'))).toEqual([]);
});

test('a field of another type is reported once for both versions', () => {
  const old = version('v1alpha1', fields({ x: text }));
  const now = stored('v1', fields({ x: number }));
  expect(warnings([old, now])).toEqual([
    'spec.versions[1] must have the types of v1alpha1 while the conversion strategy is None, or objects of one version are refused in the other, got another type for spec.x',
  ]);
});

test('nothing is lost between versions of which one is neither served nor stored, nor with a webhook', () => {
  const gone = version('v1alpha1', { ...fields({ size: number }), served: false });
  const now = stored('v1', fields({ x: text }));
  expect(warnings([gone, now])).toEqual([]);
  const unserved = stored('v1', { ...fields({ x: text }), served: false });
  expect(warnings([version('v1alpha1', fields({ size: number })), unserved])).toHaveLength(2);
  const clientConfig = { service: { name: 'x', namespace: 'y' } };
  const webhook = { conversionReviewVersions: ['v1'], clientConfig };
  const conversion = { strategy: 'Webhook', webhook };
  const served = version('v1alpha1', fields({ size: number }));
  expect(warnings([served, now], { conversion })).toEqual([]);
});

test('versions with the same fields lose nothing, whatever else differs', () => {
  const old = version('v1alpha1', fields({ x: { ...text, maxLength: 5 } }));
  expect(warnings([old, stored('v1', fields({ x: text }))])).toEqual([]);
});
