import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../kube/object.ts';
import { declaredDigest } from '../../../operator/drift/expected.ts';
import { objectOf } from '../stored/objects.ts';

const quota = (pods: string): KubeObject =>
  objectOf('ResourceQuota', { spec: { hard: { 'requests.cpu': pods } } });
const map = (data: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'shop' },
  data,
});
const labelled = (label: string): KubeObject => {
  const one = quota('1');
  return { ...one, metadata: { ...one.metadata, labels: { team: label } } };
};

test('equivalent declarations have one digest, in any order and spelling', () => {
  expect(declaredDigest([quota('0.5'), map({ a: 1, b: 2 })])).toBe(
    declaredDigest([map({ b: 2, a: 1 }), quota('500m')]),
  );
});

test('each change of a declaration changes the digest', () => {
  const all = [
    [],
    [quota('1')],
    [quota('2')],
    [quota('1'), map({ a: 1 })],
    [quota('1'), map({ a: 2 })],
    [labelled('blue')],
    [labelled('red')],
  ];
  expect(new Set(all.map(declaredDigest)).size).toBe(all.length);
});
