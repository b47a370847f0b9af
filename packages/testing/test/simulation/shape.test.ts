import { expect, test } from '@jest/globals';
import { builtinShape } from '../../simulation/server/fields/shape.ts';

const pod = builtinShape('v1/Pod');
const container = pod.field('spec').field('containers').item();

test('lists of Kubernetes are merged by the keys of their type, not of their name', () => {
  expect(pod.field('spec').field('containers').keys).toEqual(['name']);
  expect(container.field('ports').keys).toEqual(['containerPort', 'protocol']);
  const service = builtinShape('v1/Service').field('spec');
  expect(service.field('ports').keys).toEqual(['port', 'protocol']);
  expect(container.field('command').keys).toBeUndefined();
  expect(builtinShape('v1/Namespace').field('status').field('conditions').keys).toEqual(['type']);
});

test('finalizers are a set of values, and labels have user-defined names', () => {
  for (const type of ['v1/Pod', 'v1/Namespace']) {
    const metadata = builtinShape(type).field('metadata');
    expect(metadata.field('finalizers')).toMatchObject({ isSet: true, keys: undefined });
    expect(metadata.field('ownerReferences')).toMatchObject({ isSet: false, keys: ['uid'] });
    expect(metadata.field('labels').isMap).toBe(true);
    expect(metadata.field('name').isMap).toBe(false);
  }
  expect(container.field('resources').field('limits').isMap).toBe(true);
});
