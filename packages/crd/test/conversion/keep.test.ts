import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { KEPT_ANNOTATION } from '../../conversion/kept-annotation.ts';
import { MAX_ANNOTATIONS } from '@tenantry/kube/names';
import { convertObject } from '../../conversion/convert.ts';
import { conversions } from '../../conversion/conversions.ts';
import { define } from '../../define.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { pruneValue } from '../../schema/admission.ts';
import { integer, object, string } from '../../schema/language.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { redisConversions } from './redis.ts';

type Spec = Record<string, unknown> & { size: number; port?: number };

const cache = (spec: object, annotations?: Record<string, string>): KubeObject => ({
  apiVersion: 'cache.example.com/v1',
  kind: 'Redis',
  metadata: { name: 'cache', ...(annotations && { annotations }) },
  spec: { replicas: 2, mode: 'Memory', ...spec },
});
const to = (version: string, object: KubeObject) =>
  convertObject(redisConversions, object, `cache.example.com/${version}`);

const tolerations = [{ key: 'spot', effect: 'NoSchedule' }];
const ports = [
  { name: 'tls', port: 6380 },
  { name: 'redis', port: 6379 },
  { name: 'metrics', port: 9121 },
];

test('what the older version cannot represent is restored', () => {
  const object = cache({ mode: 'Disk', tolerations }, { team: 'checkout' });
  const older = to('v1beta1', object);
  expect(older['spec']).toEqual({ size: 2 });
  expect(Object.keys(older.metadata.annotations ?? {})).toEqual(['team', KEPT_ANNOTATION]);
  expect(to('v1', older)).toEqual(object);
});

test('an object that the older version can represent completely gets no annotation', () => {
  expect(to('v1beta1', cache({})).metadata).toEqual({ name: 'cache' });
});

test('a default of the newer version is not kept', () => {
  expect(to('v1beta1', cache({ mode: 'Memory' })).metadata).toEqual({ name: 'cache' });
});

test('kept fields are restored beside the changes of an older client', () => {
  const older = to('v1beta1', cache({ tolerations }));
  const changed = { ...older, spec: { ...(older['spec'] as Spec), size: 5 } };
  expect(to('v1', changed)).toMatchObject({ spec: { replicas: 5, tolerations } });
});

test('a field that the older client changed keeps that change', () => {
  const older = to('v1alpha1', cache({ ports }));
  expect(older['spec']).toEqual({ size: 2, port: 6379 });
  expect(to('v1', older)).toMatchObject({ spec: { ports } });
  const changed = { ...older, spec: { size: 2, port: 7000 } };
  expect(to('v1', changed)).toMatchObject({
    spec: { ports: [ports[0], { name: 'redis', port: 7000 }, ports[2]] },
  });
  const { port: _, ...removed } = older['spec'] as Spec;
  expect(to('v1', { ...older, spec: removed })).toMatchObject({
    spec: { ports: [ports[0], ports[2]] },
  });
});

test('an older client that removes the annotation replaces the whole object', () => {
  const { annotations: _, ...metadata } = to('v1beta1', cache({ tolerations })).metadata;
  const older = { ...to('v1beta1', cache({ tolerations })), metadata };
  expect(to('v1', older)['spec']).not.toHaveProperty('tolerations');
});

const oldest = (spec: object): KubeObject => ({
  apiVersion: 'cache.example.com/v1alpha1',
  kind: 'Redis',
  metadata: { name: 'cache' },
  spec,
});

test('only lost fields are kept', () => {
  const { metadata } = to('v1', oldest({ size: 2, debug: 'Much', port: 6379 }));
  expect(metadata.annotations?.[KEPT_ANNOTATION]).toBe(
    '{"v1alpha1":[{"path":["spec","debug"],"had":"Much"}]}',
  );
});

test('fields that two versions cannot represent survive the way through a third one', () => {
  const object = oldest({ size: 2, debug: 'Much', port: 6379 });
  const middle = to('v1beta1', object);
  expect(middle['spec']).toEqual({ size: 2, ports: [{ name: 'redis', port: 6379 }] });
  expect(to('v1alpha1', middle)).toEqual(object);
});

const annotated = (value: unknown): KubeObject => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const object = to('v1beta1', cache({}));
  return { ...object, metadata: { name: 'cache', annotations: { [KEPT_ANNOTATION]: text } } };
};

test.each<[string, unknown]>([
  ['no JSON', '{'],
  ['no mapping', '[]'],
  ['no list', { v1: {} }],
  ['no path', { v1: [{ had: 1 }] }],
  ['a path to metadata', { v1: [{ path: ['metadata', 'name'], had: 'other', became: 'cache' }] }],
  ['the whole object', { v1: [{ path: [], had: {} }] }],
  ['a value that the newer version refuses', { v1: [{ path: ['spec', 'mode'], had: 'Tape' }] }],
  ['a field that the newer version does not have', { v1: [{ path: ['spec', 'x'], had: 1 }] }],
  ['a place that is not there', { v1: [{ path: ['spec', 'replicas', 'x', 'y'], had: 1 }] }],
  ['an item that is not there', { v1: [{ path: ['spec', 'ports', { name: 'a' }, 'x'], had: 1 }] }],
])('a manually written annotation is harmless: %s', (_, value) => {
  expect(to('v1', annotated(value))).toEqual(cache({}));
});

test('no annotation makes an object unreadable', () => {
  const path = fc.array(
    fc.oneof(fc.constantFrom('spec', 'ports', 'name'), fc.dictionary(fc.string(), fc.jsonValue())),
  );
  const entry = fc.record(
    { path, had: fc.jsonValue(), became: fc.jsonValue(), at: fc.jsonValue() },
    { requiredKeys: ['path'] },
  );
  const value = fc.oneof(fc.jsonValue(), fc.record({ v1: fc.array(entry) }));
  fc.assert(
    fc.property(value, (value) => {
      expect(to('v1', annotated(value))).toMatchObject({ metadata: { name: 'cache' } });
    }),
    runs(200),
  );
});

test('exceeding the size limit of annotations is an error that names the fields', () => {
  const settings = Object.fromEntries(
    Array.from({ length: 3000 }, (_, i) => [`key-${i}`, 'x'.repeat(99)]),
  );
  expect(() => to('v1alpha1', cache({ settings }))).toThrow(
    new RegExp(
      `^Redis cache annotations must have at most ${MAX_ANNOTATIONS} bytes together, got \\d+ with spec.settings kept in ${KEPT_ANNOTATION}$`,
    ),
  );
});

const shape = define({
  group: 'example.com',
  kind: 'Shape',
  plural: 'shapes',
  scope: 'Namespaced',
  versions: {
    v1: {
      storage: true,
      schema: object(
        'A shape.',
        {
          width: integer('', { minimum: 1 }),
          height: integer('', { minimum: 1 }),
          radius: integer('', { minimum: 1 }),
          color: string('', { maxLength: 9 }),
          label: string('', { maxLength: 9 }),
        },
        {
          exactlyOneOf: ['width', 'radius'],
          rules: [{ rule: 'has(self.width) == has(self.height)', message: 'must have both' }],
        },
      ),
    },
    v1beta1: { schema: object('A shape.', { label: string('', { maxLength: 9 }) }) },
  },
});
const labelled = ({ label }: { label?: string }) => ({ ...(label !== undefined && { label }) });
const shapes = conversions(shape, 'v1', {
  v1beta1: { toHub: labelled, fromHub: labelled, keep: 'everything' },
});
const shapeOf = (fields: object): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Shape',
  metadata: { name: 'a', namespace: 'b' },
  ...fields,
});
const older = (object: KubeObject) => convertObject(shapes, object, 'example.com/v1beta1');
const newer = (object: KubeObject) => convertObject(shapes, object, 'example.com/v1');

test('fields that are only valid together, or of which one is required, are restored', () => {
  for (const fields of [{ width: 1, height: 2, color: 'red' }, { radius: 3 }]) {
    const object = shapeOf({ ...fields, label: 'x' });
    expect(newer(older(object))).toEqual(object);
  }
});

test('valid fields are restored beside manual changes of the annotation', () => {
  const object = older(shapeOf({ width: 1, height: 2 }));
  const text = object.metadata.annotations![KEPT_ANNOTATION]!;
  const kept = (JSON.parse(text) as { v1: object[] }).v1;
  const forged = [
    { path: ['color'], had: 'much too long' },
    ...kept.slice(0, 1),
    { path: ['radius'], had: 'wide' },
    ...kept.slice(1),
  ];
  const withKept = (v1: object[]): KubeObject => {
    const annotations = { [KEPT_ANNOTATION]: JSON.stringify({ v1 }) };
    return { ...object, metadata: { ...object.metadata, annotations } };
  };
  expect(newer(withKept(forged))).toEqual(shapeOf({ width: 1, height: 2 }));
  const color = { path: ['color'], had: 'red' };
  // The error without it, a shape without any measure, is not attributed to the color.
  expect(newer(withKept([color]))).toEqual(shapeOf({ color: 'red' }));
});

test('an undeclared field that a conversion copies to the other version is kept', () => {
  const careless = conversions(shape, 'v1', {
    v1beta1: {
      toHub: (one) => ({ ...(one as object) }),
      fromHub: (one) => ({ ...(one as object) }),
      keep: 'everything',
    },
  });
  const object = shapeOf({ radius: 3, color: 'red' });
  const older = convertObject(careless, object, 'example.com/v1beta1');
  const stored = pruneValue(shape.versions.v1beta1.schema, older, { root: true }).value;
  expect(convertObject(careless, stored, 'example.com/v1')).toEqual(object);
});
