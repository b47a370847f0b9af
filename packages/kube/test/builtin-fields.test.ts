import { expect, test } from '@jest/globals';
import { builtinFields, builtinVersions, builtinListKeys } from '../builtin-fields.ts';
import { builtinNamespaced } from '../builtin-kinds.ts';
import { measureCpuTime } from '@tenantry/test-tools/cpu-time';
import { fieldTable } from '../openapi/field-table.ts';
import { listKeys } from '../openapi/list-keys.ts';

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
  expect(measureCpuTime(ask)).toBeLessThan(500);
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

test('a merged list has keys, some with defaults for items that leave them out', () => {
  expect(builtinListKeys('Container', 'env')).toEqual([{ name: 'name', default: '' }]);
  expect(builtinListKeys('ServiceSpec', 'ports')).toEqual([
    { name: 'port', default: 0 },
    { name: 'protocol', default: 'TCP' },
  ]);
  expect(builtinListKeys('v1/ServiceAccount', 'secrets')).toEqual([{ name: 'name' }]);
});

test('a set has no keys, and a list that is replaced whole is unknown', () => {
  expect(builtinListKeys('ObjectMeta', 'finalizers')).toEqual([]);
  const others = [
    ['Container', 'command'],
    ['PodSpec', 'tolerations'],
    ['v1/ServiceAccount', 'imagePullSecrets'],
    ['Container', 'image'],
    ['x', 'constructor'],
  ] as const;
  for (const [type, field] of others) expect(builtinListKeys(type, field)).toBeUndefined();
});

test('no map contains such lists: maps contain scalars, or lists of them', () => {
  const inMaps = fieldTable.matchAll(/\{\}(?:\[\])?([^ \n]+)/g);
  const held = new Set([...inMaps].map(([, type]) => type));
  expect(held.size).toBeGreaterThan(2);
  expect([...held].filter((type) => builtinFields(type!) !== undefined)).toEqual([]);
});

test('each list is a field of the table of fields, and its keys are fields of its items', () => {
  for (const line of listKeys.trim().split('\n')) {
    const [type = '', field = ''] = line.split(' ');
    const listType = builtinFields(type)?.get(field);
    expect([line, listType]).toEqual([line, expect.stringMatching(/^\[\]/)]);
    const items = builtinFields(listType!.slice(2));
    for (const { name } of builtinListKeys(type, field)!) {
      expect([line, items?.has(name)]).toEqual([line, true]);
    }
  }
});
