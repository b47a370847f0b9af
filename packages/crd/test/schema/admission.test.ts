import { expect, test } from '@jest/globals';
import { formatPath } from '@tenantry/kube/problem';
import { admitValue, type AdmitOptions } from '../../schema/admission.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';

const schema: JSONSchemaProps = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', default: 1 },
        name: { type: 'string' },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
  },
};
const root = { apiVersion: 'example.com/v1', kind: 'Thing', scope: 'Namespaced' } as const;
const thing = (spec: unknown, metadata: unknown = { name: 'a' }) => ({
  apiVersion: root.apiVersion,
  kind: root.kind,
  metadata,
  spec,
});

function admitted(value: unknown, options: AdmitOptions = { root }) {
  const { errors, pruned, ...rest } = admitValue(schema, value, options);
  return {
    ...rest,
    pruned: pruned.map(formatPath),
    messages: errors.map(({ path, message }) => `${formatPath(path)} ${message}`),
  };
}

test('a stored object is pruned, without nulls and with its defaults', () => {
  const value = thing(
    { name: null, size: null, color: 'red' },
    { name: 'a', labels: {}, extra: 1 },
  );
  const before = structuredClone(value);
  expect(admitted(value)).toEqual({
    value: thing({ size: 1 }),
    pruned: ['metadata.extra', 'spec.color'],
    messages: [],
    warnings: [],
    notChecked: [],
  });
  expect(value).toEqual(before);
});

test.each<[string, unknown]>([
  ['type', 'text'],
  ['kind', { ...thing({}), kind: 'Other' }],
  ['type', thing({}, { name: 1 })],
  ['metadata', thing({}, {})],
  ['metadata', thing({}, { name: 'A' })],
  ['type', thing({ size: 'x' })],
])('a problem with a whole object has a rule: %s', (rule, value) => {
  const { errors } = admitValue(schema, value, { root });
  expect(errors).toMatchObject([{ rule, severity: 'error' }]);
});

test.each<[string, unknown, string[]]>([
  ['another kind', { ...thing({}), kind: 'Other' }, ["kind must be Thing, got 'Other'"]],
  [
    'no name',
    thing({}, {}),
    [
      "metadata.name must be a DNS subdomain: lower-case letters, digits, '-' and '.', at most 253 characters, got nothing",
    ],
  ],
  ['a generateName', thing({}, { generateName: 'a-' }), []],
  [
    'unreadable metadata',
    thing({ size: 'x' }, { name: 1, labels: { a: true } }),
    ['metadata.name must be a string, got 1', 'metadata.labels.a must be a string, got true'],
  ],
  [
    'an invalid key',
    thing({}, { name: 'a', labels: { 'a b': 'c' } }),
    [
      "metadata.labels[\"a b\"] must be a key such as 'example.com/name': letters, digits, '-', '_' and '.', got 'a b'",
    ],
  ],
  [
    'a list',
    [],
    ['[] must be a mapping, got an empty list'].map((text) => text.replace('[] ', ' ')),
  ],
  [
    'an embedded object without a kind',
    thing({ template: { apiVersion: 'v1' } }),
    ['spec.template.kind must be a kind such as Deployment, got nothing'],
  ],
  [
    'an embedded object with an invalid name',
    thing({ template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a/b' } } }),
    [
      "spec.template.metadata.name must be a name without '/' and '%' that is neither '.' nor '..', got 'a/b'",
    ],
  ],
])('%s', (_name, value, expected) => {
  expect(admitted(value).messages).toEqual(expected);
});

test('a value that is not a whole object is admitted by its schema alone', () => {
  const { value, messages } = admitted({ spec: {} }, {});
  expect({ value, messages }).toEqual({ value: { spec: { size: 1 } }, messages: [] });
});

test('the metadata of an embedded object is written as Kubernetes writes it', () => {
  const metadata = {
    name: 'a',
    creationTimestamp: '2020-01-01T01:00:00.5+01:00',
    labels: { a: null },
    ownerReferences: [null],
    finalizers: [],
    strange: 1,
  };
  const template = { apiVersion: 'v1', kind: 'Pod', metadata };
  const { value, pruned } = admitted(thing({ template }));
  expect(value).toMatchObject({
    spec: {
      template: {
        metadata: {
          name: 'a',
          creationTimestamp: '2020-01-01T00:00:00Z',
          labels: { a: '' },
          ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }],
        },
      },
    },
  });
  expect(pruned).toEqual(['spec.template.metadata.strange']);
});
