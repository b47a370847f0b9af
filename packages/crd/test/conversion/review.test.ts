import { expect, test } from '@jest/globals';
import { convertReview } from '../../conversion.ts';
import { redisConversions } from './redis.ts';

const cache = (name: string, spec: object, version = 'v1beta1') => ({
  apiVersion: `cache.example.com/${version}`,
  kind: 'Redis',
  metadata: { name, namespace: 'default' },
  spec,
});
const review = (...objects: unknown[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'some-uid', desiredAPIVersion: 'cache.example.com/v1', objects },
});

test('a review is answered with the objects in their order', () => {
  const objects = [cache('a', { size: 1 }), cache('b', { size: 2 }, 'v1alpha1')];
  expect(convertReview(redisConversions, review(...objects))).toEqual({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: {
      uid: 'some-uid',
      convertedObjects: [
        cache('a', { replicas: 1, mode: 'Memory' }, 'v1'),
        cache('b', { replicas: 2, mode: 'Memory' }, 'v1'),
      ],
      result: { status: 'Success' },
    },
  });
});

test('a review of no objects is answered with none', () => {
  const { response } = convertReview(redisConversions, review());
  expect(response).toMatchObject({ convertedObjects: [], result: { status: 'Success' } });
});

test('one object that cannot be converted fails the whole', () => {
  const objects = [cache('a', { size: 1 }), cache('b', { size: 1 }, 'v0')];
  expect(convertReview(redisConversions, review(...objects)).response).toEqual({
    uid: 'some-uid',
    convertedObjects: [],
    result: {
      status: 'Failure',
      message:
        "Redis default/b apiVersion must be a version of Redis: cache.example.com/v1, cache.example.com/v1beta1, cache.example.com/v1alpha1; got 'cache.example.com/v0'",
    },
  });
});

test.each<[string, unknown, string]>([
  [
    'of an old version of the API',
    { ...review(), apiVersion: 'apiextensions.k8s.io/v1beta1' },
    "apiVersion must be apiextensions.k8s.io/v1, got 'apiextensions.k8s.io/v1beta1'",
  ],
  ['without a request', { ...review(), request: undefined }, 'request.uid must be a string'],
  ['that is none', null, 'kind must be ConversionReview, got nothing'],
  [
    'without objects',
    { ...review(), request: { uid: 'a', desiredAPIVersion: 'b' } },
    'request.objects must be a list, got nothing',
  ],
])('a review %s has no answer', (_, value, message) => {
  expect(() => convertReview(redisConversions, value)).toThrow(message);
});
