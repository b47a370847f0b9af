import { expect, test } from '@jest/globals';
import { admitObject, admitStrictly } from '../admit-object.ts';
import { define } from '../define.ts';
import { formatPath } from '@tenantry/kube/problem';
import { immutable, integer, object, required, string } from '../schema/language.ts';

const schema = object('A box.', {
  spec: required(
    object('', {
      size: integer('How big.', { minimum: 1, default: 3 }),
      owner: immutable(string('Whose.', { maxLength: 20 })),
    }),
  ),
});

const box = define({
  group: 'example.com',
  kind: 'Box',
  plural: 'boxes',
  scope: 'Cluster',
  versions: { v1: { schema, storage: true }, v2: { schema }, v3: { schema, served: false } },
});

const given = (version: string, spec: object) => ({
  apiVersion: `example.com/${version}`,
  kind: 'Box',
  metadata: { name: 'a' },
  spec,
});

const collectErrors = (object: unknown, oldObject?: unknown): string[] =>
  admitObject(box, object, { oldObject }).errors.map(
    ({ path, message }) => `${formatPath(path)} ${message}`,
  );

test('an object is admitted by the version that it names', () => {
  const { value, errors, pruned } = admitObject(box, given('v2', { colour: 'red' }));
  expect(errors).toEqual([]);
  expect(pruned).toEqual([['spec', 'colour']]);
  expect(value).toEqual(given('v2', { size: 3 }));
});

test('a version that is not served, or none, is refused by its name', () => {
  const must = 'apiVersion must be example.com/v1 or example.com/v2, got';
  expect(collectErrors(given('v3', {}))).toEqual([`${must} 'example.com/v3'`]);
  expect(collectErrors({ kind: 'Box' })).toEqual([`${must} nothing`]);
  expect(collectErrors('Box')).toEqual([`${must} nothing`]);
});

test('an update is held against the object before it', () => {
  const before = given('v1', { owner: 'alice' });
  expect(collectErrors(before, before)).toEqual([]);
  expect(collectErrors(given('v1', { owner: 'bob' }), before)).toEqual([
    "spec.owner must not change, got 'bob'",
  ]);
  expect(collectErrors(given('v1', {}), before)).toEqual([
    'spec.owner must be neither added nor taken away later',
  ]);
});

test('a status of its own is dropped, and asked about where it is written', () => {
  const reported = define({
    group: 'example.com',
    kind: 'Box',
    plural: 'boxes',
    scope: 'Cluster',
    versions: {
      v1: {
        schema: object('A box.', {
          label: required(string('', { default: 'none' })),
          size: required(integer('')),
          status: object('', { seen: integer('') }),
        }),
      },
    },
  });
  const { spec: _, ...head } = given('v1', {});
  const lost = { ...head, status: { seen: 'yes' } };
  const created = admitObject(reported, { ...lost, size: 1 });
  expect(created).toMatchObject({ errors: [], value: { ...head, size: 1, label: 'none' } });
  expect(created.value).not.toHaveProperty('status');
  // What is stored lacks nothing, whatever is sent.
  const written = admitObject(reported, lost, { subresource: 'status' });
  expect(written.errors.map(({ path }) => formatPath(path))).toEqual(['status.seen']);
  const none = admitObject(box, given('v1', {}), { subresource: 'status' });
  expect(none.errors.map(({ message }) => message)).toEqual([
    'must be written with the object: v1 has no status subresource',
  ]);
});

test('strictly, a field that is not declared is an error, with the one that was meant', () => {
  const { errors } = admitStrictly(box, {
    ...given('v1', { sise: 1, x: { y: 1 } }),
    metadata: { name: 'a', lables: {} },
  });
  expect(errors).toMatchObject([
    { path: ['metadata', 'lables'], rule: 'unknown-field', atKey: true },
    { path: ['spec', 'sise'], rule: 'unknown-field', atKey: true },
    { path: ['spec', 'x'], rule: 'unknown-field', atKey: true },
  ]);
  expect(errors.map(({ message }) => message)).toEqual([
    "must be a known field, got 'lables'",
    "must be a known field, got 'sise'; did you mean 'size'?",
    "must be a known field, got 'x'; known: size, owner",
  ]);
  expect(admitStrictly(box, given('v1', { size: 0 })).errors).toMatchObject([
    { path: ['spec', 'size'], rule: 'minimum' },
  ]);
  expect(admitStrictly(box, given('v9', { sise: 0 })).errors).toMatchObject([
    { path: ['apiVersion'] },
  ]);
});
