import { expect, test } from '@jest/globals';
import { convertObject, ConversionError } from '../../conversion/convert.ts';
import { conversions, type Conversions } from '../../conversion/conversions.ts';
import { define } from '../../define.ts';
import { integer, object, required } from '../../schema/language.ts';
import { redis, redisConversions } from './redis.ts';

const metadata = {
  name: 'cache',
  namespace: 'default',
  uid: '123e4567-e89b-42d3-a456-426614174000',
  generation: 3,
  labels: { app: 'shop' },
  annotations: { team: 'checkout' },
};
const v1 = (spec: object) => ({
  apiVersion: 'cache.example.com/v1',
  kind: 'Redis',
  metadata,
  spec,
});
const to = (version: string, object: unknown) =>
  convertObject(redisConversions, object, `cache.example.com/${version}`);

test('an object is converted to another version with its metadata', () => {
  const object = v1({ replicas: 2, image: { repository: 'docker.io/redis', tag: '8.2' } });
  const older = to('v1beta1', object);
  expect(older).toEqual({
    apiVersion: 'cache.example.com/v1beta1',
    kind: 'Redis',
    metadata,
    spec: { size: 2, image: 'docker.io/redis:8.2' },
  });
  expect(to('v1', older)).toEqual({ ...object, spec: { ...object.spec, mode: 'Memory' } });
});

test('two older versions are converted to each other through the hub', () => {
  const object = { ...v1({ size: 2, port: 6379 }), apiVersion: 'cache.example.com/v1alpha1' };
  expect(to('v1beta1', object)).toMatchObject({
    apiVersion: 'cache.example.com/v1beta1',
    spec: { size: 2, ports: [{ name: 'redis', port: 6379 }] },
  });
});

test('an object of the desired version is returned as a copy', () => {
  const object = v1({ replicas: 2 });
  const same = to('v1', object);
  expect(same).toEqual(object);
  expect(same.metadata).not.toBe(object.metadata);
});

const number = define({
  group: 'example.com',
  kind: 'Number',
  plural: 'numbers',
  scope: 'Cluster',
  versions: {
    v2: { storage: true, schema: object('It.', { value: required(integer('The value.')) }) },
    v1: { schema: object('It.', { value: required(integer('The value.')) }) },
  },
});
const one = { apiVersion: 'example.com/v1', kind: 'Number', metadata: { name: 'a' }, value: 1 };

/** Conversions with one function that the types would not allow. */
function returning(toHub: (object: { value: number }) => unknown): Conversions {
  const fromHub = ({ value }: { value: number }) => ({ value });
  const spokes = { v1: { toHub: toHub as typeof fromHub, fromHub } };
  return conversions(number, 'v2', spokes) as unknown as Conversions;
}

test('a conversion can change labels and annotations', () => {
  const metadata = { labels: { size: 'small' } };
  const given = returning(({ value }) => ({ value, metadata }));
  const object = { ...one, metadata: { name: 'a', labels: { a: 'b' }, annotations: { c: 'd' } } };
  expect(convertObject(given, object, 'example.com/v2').metadata).toEqual({
    name: 'a',
    labels: { size: 'small' },
    annotations: { c: 'd' },
  });
});

test('a conversion that changes its argument changes nothing outside', () => {
  const given = returning((object) => {
    object.value += 1;
    return { value: object.value };
  });
  const object = structuredClone(one);
  expect(convertObject(given, object, 'example.com/v2')).toMatchObject({ value: 2 });
  expect(object).toEqual(one);
});

test('apiVersion, kind and undefined fields that a conversion returns are ignored', () => {
  const given = returning(({ value }) => ({ apiVersion: 'v9', kind: 'X', value, b: undefined }));
  const converted = convertObject(given, one, 'example.com/v2');
  expect(converted).toEqual({ ...one, apiVersion: 'example.com/v2' });
  expect(Object.keys(converted)).toEqual(['apiVersion', 'kind', 'metadata', 'value']);
});

test.each<[string, unknown, string]>([
  [
    'an unknown version',
    { ...one, apiVersion: 'example.com/v3' },
    "Number a apiVersion must be a version of Number: example.com/v2, example.com/v1; got 'example.com/v3'",
  ],
  ['another kind', { ...one, kind: 'Text' }, "Text a kind must be Number, got 'Text'"],
  ['no mapping', [], 'The object must be a mapping, got an empty list'],
  ['no metadata', { kind: 'Number' }, 'Number metadata must be a mapping, got nothing'],
])('%s cannot be converted', (_, object, message) => {
  const given = returning(({ value }) => ({ value }));
  expect(() => convertObject(given, object, 'example.com/v2')).toThrow(
    new ConversionError(message),
  );
});

test('the error for an unknown desired version names the known ones', () => {
  const given = returning(({ value }) => ({ value }));
  const message =
    "The desired apiVersion must be a version of Number: example.com/v2, example.com/v1; got 'v2'";
  expect(() => convertObject(given, one, 'v2')).toThrow(new ConversionError(message));
});

test.each<[string, (object: { value: number }) => unknown, string]>([
  [
    'throws',
    () => {
      throw new RangeError('too large');
    },
    'Number a from v1 to v2 must be convertible, got an error: too large',
  ],
  ['returns nothing', () => undefined, 'Number a from v1 to v2 must become a mapping, got nothing'],
  [
    'returns what JSON cannot hold',
    () => ({ value: Number.NaN }),
    'Number a from v1 to v2: value must be a value of JSON, got NaN',
  ],
  [
    'renames the object',
    () => ({ value: 1, metadata: { name: 'b' } }),
    "Number a from v1 to v2: metadata.name must stay as it is, got 'b'; a conversion may change labels and annotations alone",
  ],
  [
    'returns labels that are none',
    () => ({ value: 1, metadata: { labels: { a: 1 } } }),
    'Number a from v1 to v2: metadata.labels must be strings by name, got a mapping',
  ],
])('a conversion that %s is reported', (_, toHub, message) => {
  expect(() => convertObject(returning(toHub), one, 'example.com/v2')).toThrow(
    expect.objectContaining({ name: 'ConversionError', message }),
  );
});

test('the cause of the error is what the conversion threw', () => {
  const cause = new RangeError('too large');
  const given = returning(() => {
    throw cause;
  });
  expect(() => convertObject(given, one, 'example.com/v2')).toThrow(
    expect.objectContaining({ cause }),
  );
});

test('declaring conversions without those of a version is refused', () => {
  const { v1beta1 } = redisConversions.spokes;
  expect(() => conversions(redis, 'v1', { v1beta1 } as never)).toThrow(
    'The conversions of Redis must say how v1alpha1 becomes v1, got nothing for v1alpha1',
  );
  expect(() =>
    conversions(redis, 'v1', { ...redisConversions.spokes, v2: v1beta1 } as never),
  ).toThrow('The conversions of Redis must be for v1beta1, v1alpha1, got some for v2');
  expect(() => conversions(redis, 'v2' as 'v1', redisConversions.spokes)).toThrow(
    'The conversions of Redis must have one of its versions as the hub, v1, v1beta1, v1alpha1; got v2',
  );
});

test('a field that no version declares cannot be kept', () => {
  const { v1beta1, v1alpha1 } = redisConversions.spokes;
  const keeping = (...keep: string[]) =>
    conversions(redis, 'v1', { v1beta1: { ...v1beta1, keep }, v1alpha1 });
  expect(() => keeping('spec.mode', 'spec.toleration')).toThrow(
    "The conversions of Redis must keep fields of v1 or v1beta1, got 'spec.toleration'",
  );
  expect(() => keeping('spec.size', 'spec.tolerations.key')).not.toThrow();
});

test('the argument and the result of a conversion have the types of the schemas', () => {
  conversions(number, 'v2', {
    v1: {
      // @ts-expect-error v2 has no such field
      toHub: ({ value }) => ({ values: value }),
      // @ts-expect-error a number is not a string
      fromHub: ({ value }) => ({ value: value.slice(1) }),
    },
  });
  // @ts-expect-error v1 must have conversions
  expect(() => conversions(number, 'v2', {})).toThrow('v1');
  expect(redisConversions.hub).toBe('v1');
});
