import { expect, test } from '@jest/globals';
import type { LimitItem } from '../../crds/quota.ts';
import { ofKind, refused, type Given } from './given.ts';

const given = (...items: LimitItem[]): Given => ({ tenant: { limits: { preset: 'none', items } } });
const container = (item: Partial<LimitItem>) => given({ type: 'Container', ...item });

test('a LimitRange has the declared values, as strings', () => {
  const items: LimitItem[] = [
    {
      type: 'Container',
      min: { cpu: '10m' },
      defaultRequest: { cpu: '50m' },
      default: { cpu: 1 },
      max: { cpu: 2 },
    },
    { type: 'PersistentVolumeClaim', max: { storage: '10Gi' } },
  ];
  expect(refused(given(...items))).toEqual([]);
  expect(ofKind(given(...items), 'LimitRange')[0]).toMatchObject({
    metadata: { name: 'tenant-limits' },
    spec: {
      limits: [
        {
          type: 'Container',
          min: { cpu: '10m' },
          defaultRequest: { cpu: '50m' },
          default: { cpu: '1' },
          max: { cpu: '2' },
        },
        { type: 'PersistentVolumeClaim', max: { storage: '10Gi' } },
      ],
    },
  });
});

test('an item without values is dropped, and a LimitRange without items is not rendered', () => {
  expect(ofKind(container({ max: { cpu: 'unlimited' } }), 'LimitRange')).toEqual([]);
});

test.each([
  ['min', 'max'],
  ['min', 'defaultRequest'],
  ['min', 'default'],
  ['defaultRequest', 'default'],
  ['defaultRequest', 'max'],
  ['default', 'max'],
] as const)('%s above %s is refused, and an equal value is accepted', (lower, upper) => {
  expect(refused(container({ [lower]: { memory: '1.5Gi' }, [upper]: { memory: '1Gi' } }))).toEqual([
    `spec.limits.items must have ${lower} at most ${upper} for Container memory, got '1.5Gi' above '1Gi'`,
  ]);
  expect(refused(container({ [lower]: { memory: '1024Mi' }, [upper]: { memory: '1Gi' } }))).toEqual(
    [],
  );
});

test('limits of two layers are compared after they are merged', () => {
  expect(
    refused({
      tenant: { limits: { items: [{ type: 'Container', default: { memory: '64Mi' } }] } },
    }),
  ).toEqual([
    "spec.limits.items must have defaultRequest at most default for Container memory, got '128Mi' above '64Mi'",
  ]);
});

/** The compiler does not know the keys of this value. */
const misspelt: Readonly<Record<string, number>> = { cpus: 1 };

test.each<[LimitItem, string]>([
  [{ type: 'Container', max: misspelt }, "must be a resource of a Container, got 'cpus'"],
  [{ type: 'Pod', max: { storage: 1 } }, "must be a resource of a Pod, got 'storage'"],
  [
    { type: 'Pod', default: { cpu: 1 } },
    'must have no default or defaultRequest for type Pod: Kubernetes refuses them',
  ],
  [
    { type: 'PersistentVolumeClaim', default: { storage: '1Gi' } },
    'must have min or max of storage for type PersistentVolumeClaim',
  ],
  [
    { type: 'Container', maxLimitRequestRatio: { cpu: '500m' } },
    "must have a maxLimitRequestRatio of at least 1 for Container cpu, got '500m'",
  ],
  [
    { type: 'Container', min: { cpu: 1 }, max: { cpu: 2 }, maxLimitRequestRatio: { cpu: '2001m' } },
    "must have a maxLimitRequestRatio of at most max divided by min for Container cpu, got '2001m' above 2 divided by 1",
  ],
  [
    { type: 'Pod', defaultRequest: { cpu: 1 } },
    'must have no default or defaultRequest for type Pod: Kubernetes refuses them',
  ],
  [
    { type: 'PersistentVolumeClaim', max: { storage: 1, cpu: 1 } },
    "must be a resource of a PersistentVolumeClaim, got 'cpu'",
  ],
  [
    { type: 'Container', max: { 'hugepages-1.': 1 } },
    "must be a resource of a Container, got 'hugepages-1.'",
  ],
  [{ type: 'Container', max: { storage: 1 } }, "must be a resource of a Container, got 'storage'"],
  [
    { type: 'Container', max: { 'kubernetes.io/x y': 1 } },
    "must be a resource of a Container, got 'kubernetes.io/x y'",
  ],
  [
    { type: 'openshift.io/ImageStream', max: { cpu: 1 } },
    "must be a resource of a openshift.io/ImageStream, got 'cpu'",
  ],
  [
    { type: 'openshift.io/ImageStream', max: { 'a b/c': 1 } },
    "must be a resource of a openshift.io/ImageStream, got 'a b/c'",
  ],
  [
    { type: 'Container', max: { memory: '8Ei' } },
    "must be less than 8Ei for Container max memory, got '8Ei'",
  ],
])('an item that Kubernetes refuses is refused: %j', (item, message) => {
  expect(refused(given(item))).toEqual([`spec.limits.items ${message}`]);
});

test('extended resources and page sizes are resources of a container', () => {
  expect(refused(container({ max: { 'nvidia.com/gpu': 1, 'hugepages-2Mi': '4Mi' } }))).toEqual([]);
});

test.each<LimitItem>([
  { type: 'PersistentVolumeClaim', min: { storage: 0 } },
  { type: 'PersistentVolumeClaim', min: { storage: 1 } },
  { type: 'PersistentVolumeClaim', max: { storage: 1 } },
  { type: 'Pod', max: { 'ephemeral-storage': 1, cpu: 1, memory: 1 } },
  { type: 'Container', max: { 'kubernetes.io/x': 1, memory: '9223372036854775807' } },
  { type: 'openshift.io/Image', max: { storage: 1 } },
  { type: 'openshift.io/ImageStream', max: { 'openshift.io/images': 1 } },
  {
    type: 'openshift.io/ImageStream',
    max: { 'openshift.io/images': 4 },
    defaultRequest: { 'openshift.io/images': 1 },
  },
  { type: 'Container', maxLimitRequestRatio: { cpu: 1 } },
  { type: 'Container', max: { cpu: 2 }, maxLimitRequestRatio: { cpu: 100 } },
  { type: 'Container', min: { cpu: 2 }, maxLimitRequestRatio: { cpu: 100 } },
  { type: 'Container', min: { cpu: 1 }, max: { cpu: 2 }, maxLimitRequestRatio: { cpu: 2 } },
])('an item that Kubernetes accepts is accepted: %j', (item) => {
  expect(refused(given(item))).toEqual([]);
});

test('in a ratio, less than a thousandth counts as a thousandth, and 0 cannot be divided', () => {
  const ratio = (min: string, ratio: string) =>
    refused(
      container({
        min: { cpu: min },
        max: { cpu: '2m' },
        maxLimitRequestRatio: { cpu: ratio },
      }),
    );
  expect(ratio('1n', '2')).toEqual([]);
  expect(ratio('1n', '2001m')).toHaveLength(1);
  expect(ratio('0', '1000')).toEqual([]);
});

test('page and device limits must equal their requests', () => {
  const gpu = 'nvidia.com/gpu';
  const pages = 'hugepages-2Mi';
  const words = (key: string, limit: string, request: string) =>
    `spec.limits.items must have one amount for default (or max) and defaultRequest of ${key}, which cannot be overcommitted, got '${limit}' and '${request}'`;
  const both = (key: string, limit: string, request: string) =>
    refused(container({ default: { [key]: limit }, defaultRequest: { [key]: request } }));
  expect(both(pages, '4Mi', '2Mi')).toEqual([words(pages, '4Mi', '2Mi')]);
  expect(both(pages, '4Mi', '4096Ki')).toEqual([]);
  expect(both(gpu, '2', '1')).toEqual([words(gpu, '2', '1')]);
  expect(both('kubernetes.io/x', '2', '1')).toEqual([]);
  expect(both('cpu', '2', '1')).toEqual([]);
  const bound = (item: Partial<LimitItem>) => refused(container({ max: { [gpu]: '4' }, ...item }));
  expect(bound({})).toEqual([]);
  expect(bound({ defaultRequest: { [gpu]: '1' } })).toEqual([words(gpu, '4', '1')]);
  expect(bound({ default: { [gpu]: '1' }, defaultRequest: { [gpu]: '1' } })).toEqual([]);
  expect(refused(container({ defaultRequest: { [gpu]: '1' } }))).toEqual([]);
});

test('no field of a LimitRange may exceed the ceiling of the class, and other resources are free', () => {
  const klass = { ceilings: { limits: { cpu: '2' } } };
  expect(refused({ ...container({ max: { cpu: '2', memory: '1Ti' } }), klass })).toEqual([]);
  for (const field of ['min', 'defaultRequest', 'default', 'max']) {
    expect(refused({ ...container({ [field]: { cpu: '2001m' } }), klass })).toEqual([
      `spec.limits.items must be at most 2 for Container ${field} cpu (ceiling of class standard), got '2001m'`,
    ]);
  }
});
