import { expect, test } from '@jest/globals';
import { builtinFields, builtinVersions } from '../../kube/builtin-fields.ts';
import { builtinNamespaced } from '../../kube/builtin-kinds.ts';
import { busy } from '../busy.ts';

test('a kind has the fields that its apiVersion has', () => {
  expect([...builtinFields('v1/ConfigMap')!]).toEqual([
    ['apiVersion', 'string'],
    ['binaryData', '{}bytes'],
    ['data', '{}string'],
    ['immutable', 'boolean'],
    ['kind', 'string'],
    ['metadata', 'ObjectMeta'],
  ]);
  expect(builtinFields('autoscaling/v1/HorizontalPodAutoscaler')!.get('spec')).not.toBe(
    builtinFields('autoscaling/v2/HorizontalPodAutoscaler')!.get('spec'),
  );
});

test('a type without fields has none, and an unknown type is undefined', () => {
  expect(builtinFields('BasicSchedulingPolicy')!.size).toBe(0);
  for (const type of ['string', 'v2/ConfigMap', 'ConfigMap', '/v1/ConfigMap', 'constructor', '']) {
    expect(builtinFields(type)).toBeUndefined();
  }
});

test('the versions of a kind are sorted: stable first, then the newest', () => {
  expect(builtinVersions('autoscaling', 'HorizontalPodAutoscaler')).toEqual([
    'autoscaling/v2',
    'autoscaling/v1',
  ]);
  expect(builtinVersions('resource.k8s.io', 'ResourceClaim')).toEqual([
    'resource.k8s.io/v1',
    'resource.k8s.io/v1beta2',
    'resource.k8s.io/v1beta1',
  ]);
  expect(builtinVersions('coordination.k8s.io', 'LeaseCandidate')).toEqual([
    'coordination.k8s.io/v1beta1',
    'coordination.k8s.io/v1alpha2',
  ]);
  expect(builtinVersions('', 'Pod')).toEqual(['v1']);
  expect(builtinVersions('apps', 'Pod')).toEqual([]);
  expect(builtinVersions('', 'Event')).toEqual(['v1']);
  expect(builtinVersions('events.k8s.io', 'Event')).toEqual(['events.k8s.io/v1']);
});

test('a kind of another group is recognized without searching all kinds of Kubernetes', () => {
  const ask = () => {
    for (let i = 0; i < 50_000; i += 1) builtinVersions('example.com', `Kind${i}`);
  };
  ask();
  expect(busy(ask)).toBeLessThan(500);
});

test('the table contains every namespaced kind, and every type of a field', () => {
  const missing = [...builtinNamespaced.keys()].filter((id) => {
    const [group, kind] = id.split('/') as [string, string];
    return builtinVersions(group, kind).length === 0;
  });
  expect(missing).toEqual([]);
  const scalars = new Set(
    'string boolean int32 int64 number bytes time microtime quantity int-or-string any'.split(' '),
  );
  const seen = new Set<string>();
  const visit = (type: string): void => {
    const plain = type.replace(/^(?:\[\]|\{\})+/, '');
    if (seen.has(plain) || scalars.has(plain)) return;
    seen.add(plain);
    const fields = builtinFields(plain);
    expect([plain, fields !== undefined]).toEqual([plain, true]);
    for (const inner of fields!.values()) visit(inner);
  };
  for (const id of builtinNamespaced.keys()) {
    const [group, kind] = id.split('/') as [string, string];
    for (const version of builtinVersions(group, kind)) visit(`${version}/${kind}`);
  }
  expect(seen.size).toBeGreaterThan(300);
});
