import { describe, expect, test } from '@jest/globals';
import { readAsServer } from '../fields/decoded-definition.ts';
import { readAsWritten } from '../read-definition.ts';
import { Findings } from '@tenantry/kube/finding';
import { formatPath } from '@tenantry/kube/problem';

/** Returns the definition as the server stores it, and the messages of strict validation. */
function served(manifest: object) {
  const findings = new Findings();
  const read = readAsServer(manifest, findings);
  const messages = [...findings.errors, ...findings.warnings].map(
    ({ path, rule, message }) => `${rule} ${formatPath(path)} ${message}`,
  );
  return { read, messages };
}

/** Returns the definition as tools process it, and the messages about the manifest. */
function written(manifest: object) {
  const messages: string[] = [];
  const read = readAsWritten(manifest, {
    wrong: (path, message, rule) => messages.push(`${rule} ${formatPath(path)} ${message}`),
    dropped: (path, message) => messages.push(`dropped ${formatPath(path)} ${message}`),
    assumed: (path, message) => messages.push(`assumed ${formatPath(path)} ${message}`),
  });
  return { read, messages };
}

const identity = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
};

/** Returns a definition with this schema in its only version. */
const withSchema = (schema: object) => ({
  ...identity,
  spec: {
    group: 'example.com',
    names: { kind: 'Thing', plural: 'things' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

const schemaOf = (definition: ReturnType<typeof served>['read']) =>
  definition?.spec?.versions?.[0]?.schema?.openAPIV3Schema;

describe('the server', () => {
  test('reads false and the empty string as absent, except in a pointer field', () => {
    const { read } = served(
      withSchema({
        title: '',
        nullable: false,
        $ref: '',
        'x-kubernetes-preserve-unknown-fields': false,
        maxLength: 0,
        enum: ['', false],
      }),
    );
    expect(schemaOf(read)).toStrictEqual({
      $ref: '',
      'x-kubernetes-preserve-unknown-fields': false,
      maxLength: 0,
      enum: ['', false],
    });
  });

  test('reads null as absent in a field, and as the empty value in a list or a map', () => {
    const names = { plural: null, shortNames: ['a', null], categories: null };
    const { read, messages } = served({
      ...identity,
      metadata: { labels: { a: null }, ownerReferences: [null] },
      spec: { names },
    });
    expect(read).toStrictEqual({
      ...identity,
      metadata: { labels: { a: '' }, ownerReferences: [{}] },
      spec: { names: { shortNames: ['a', ''] } },
    });
    expect(messages).toEqual([]);
  });

  test('reads items that are not a schema as absent, and a dependency that is not a list as empty', () => {
    const { read, messages } = served(withSchema({ items: 'x', dependencies: { a: 1, b: ['c'] } }));
    expect(schemaOf(read)).toStrictEqual({ dependencies: { a: [], b: ['c'] } });
    expect(messages).toEqual([
      "ignored-field spec.versions[0].schema.openAPIV3Schema.items must be a schema, got 'x'",
    ]);
  });

  test('reads a list of items, and refuses it', () => {
    const { messages } = served(withSchema({ items: [{ typ: 'string' }] }));
    expect(messages).toEqual([
      'items-list spec.versions[0].schema.openAPIV3Schema.items must be one schema for all items, got a list',
      expect.stringMatching(/^ignored-field .*items\[0\]\.typ must be a known field, got 'typ'/),
    ]);
  });

  test('refuses unknown fields, and drops them silently below a type with its own decoder', () => {
    const { messages } = served(withSchema({ typ: 'x', items: { typ: 'x' }, not: { typ: 'x' } }));
    expect(messages.map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual([
      'unknown-field spec.versions[0].schema.openAPIV3Schema.typ',
      'unknown-field spec.versions[0].schema.openAPIV3Schema.not.typ',
      'ignored-field spec.versions[0].schema.openAPIV3Schema.items.typ',
    ]);
  });

  test('reads nothing if a field has the wrong type', () => {
    const { read, messages } = served(withSchema({ additionalProperties: 'yes', required: 'a' }));
    expect(read).toBeUndefined();
    expect(messages.map((one) => one.replace(/spec\S*openAPIV3Schema\./, ''))).toEqual([
      "field-type additionalProperties must be a schema, true or false, got 'yes'",
      "field-type required must be a list, got 'a'",
    ]);
  });
});

describe('a tool that processes a definition', () => {
  test('gets values as they are written', () => {
    const schema = { title: '', nullable: false, enum: ['', null], default: { a: null } };
    const { read, messages } = written(withSchema(schema));
    expect(read).toStrictEqual(withSchema(schema));
    expect(messages).toEqual([]);
  });

  test('does not get what the server drops, and gets a message about it unless it is null', () => {
    const { read, messages } = written(withSchema({ typ: 'x', tye: null, type: null }));
    expect(read).toStrictEqual(withSchema({}));
    expect(messages).toEqual([
      "dropped spec.versions[0].schema.openAPIV3Schema.typ must be a field that the API server knows, got 'typ', which it drops; did you mean 'type'?",
    ]);
  });

  test('gets a message about a missing field, a wrong type, and an unknown enum value', () => {
    const { messages } = written({
      ...identity,
      spec: { group: 1, names: { kind: 'Thing', plural: null }, scope: 'World', versions: [null] },
    });
    expect(messages).toEqual([
      'shape spec.group must be a string, got 1',
      'shape spec.names.plural must be a string, got nothing',
      "shape spec.scope must be one of Cluster, Namespaced, got 'World'",
      'shape spec.versions[0] must be a mapping, got null',
    ]);
  });

  test('gets a message about a reference, which the server does not follow', () => {
    const { messages } = written(withSchema({ properties: { $ref: { $ref: '#/a' } } }));
    expect(messages).toEqual([
      "reference spec.versions[0].schema.openAPIV3Schema.properties.$ref.$ref must be the schema itself (the API server follows no reference), got '#/a'",
    ]);
  });

  test('gets a message about nesting that no file has, in schemas and in values', () => {
    let schema: object = {};
    let value: object = {};
    for (let i = 0; i < 50; i += 1) {
      schema = { properties: { a: schema } };
      value = { a: { a: value } };
    }
    for (const deep of [schema, { default: value }]) {
      expect(written(withSchema(deep)).messages).toEqual([
        expect.stringMatching(/^nesting .* must be nested at most 64 deep, got more$/),
      ]);
    }
  });
});

test('a missing boolean of a version is false, as in the API server, with a warning', () => {
  const { spec } = withSchema({ type: 'object' });
  const bare = { name: 'v1', storage: null, schema: { openAPIV3Schema: { type: 'object' } } };
  const manifest = { ...identity, spec: { ...spec, versions: [bare] } };
  const message = 'must be true or false, got nothing, which the API server takes for false';
  const { read, messages } = written(manifest);
  expect(read.spec.versions).toEqual([{ ...bare, served: false, storage: false }]);
  expect(messages).toEqual([
    `assumed spec.versions[0].served ${message}`,
    `assumed spec.versions[0].storage ${message}`,
  ]);
  expect(served(manifest).messages).toEqual([
    `left-out spec.versions[0].served ${message}`,
    `left-out spec.versions[0].storage ${message}`,
  ]);
  const explicit = { ...bare, served: false, storage: false };
  expect(served({ ...identity, spec: { ...spec, versions: [explicit] } }).messages).toEqual([]);
});
