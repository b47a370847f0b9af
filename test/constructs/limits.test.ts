import { expect, test } from '@jest/globals';
import type { LimitItem } from '../../crds/tenantry/quota.ts';
import { ofKind, told, type Given } from './given.ts';

const given = (...items: LimitItem[]): Given => ({ tenant: { limits: { preset: 'none', items } } });
const container = (item: Partial<LimitItem>) => given({ type: 'Container', ...item });

test('a LimitRange holds what is declared, as strings', () => {
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
  expect(told(given(...items))).toEqual([]);
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

test('an item with nothing left in it is no item, and without items there is no LimitRange', () => {
  expect(ofKind(container({ max: { cpu: 'unlimited' } }), 'LimitRange')).toEqual([]);
});

test.each([
  ['min', 'max'],
  ['min', 'defaultRequest'],
  ['min', 'default'],
  ['defaultRequest', 'default'],
  ['defaultRequest', 'max'],
  ['default', 'max'],
] as const)('%s above %s is refused, equal is not', (lower, upper) => {
  expect(told(container({ [lower]: { memory: '1.5Gi' }, [upper]: { memory: '1Gi' } }))).toEqual([
    `spec.limits.items must have ${lower} at most ${upper} for Container memory, got '1.5Gi' above '1Gi'`,
  ]);
  expect(told(container({ [lower]: { memory: '1024Mi' }, [upper]: { memory: '1Gi' } }))).toEqual(
    [],
  );
});

test('limits of two layers are compared once they are merged', () => {
  expect(
    told({ tenant: { limits: { items: [{ type: 'Container', default: { memory: '64Mi' } }] } } }),
  ).toEqual([
    "spec.limits.items must have defaultRequest at most default for Container memory, got '128Mi' above '64Mi'",
  ]);
});

test.each<[LimitItem, string]>([
  [{ type: 'Container', max: { cpus: 1 } }, "must be a resource of a Container, got 'cpus'"],
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
])('Kubernetes refuses %j', (item, message) => {
  expect(told(given(item))).toEqual([`spec.limits.items ${message}`]);
});

test('an extended resource and a page size are resources of a container', () => {
  expect(told(container({ max: { 'nvidia.com/gpu': 1, 'hugepages-2Mi': '4Mi' } }))).toEqual([]);
});

test('no field of a LimitRange passes the ceiling of the class, and what it does not bound is free', () => {
  const klass = { ceilings: { limits: { cpu: '2' } } };
  expect(told({ ...container({ max: { cpu: '2', memory: '1Ti' } }), klass })).toEqual([]);
  for (const field of ['min', 'defaultRequest', 'default', 'max']) {
    expect(told({ ...container({ [field]: { cpu: '2001m' } }), klass })).toEqual([
      `spec.limits.items must be at most 2 for Container ${field} cpu (ceiling of class standard), got '2001m'`,
    ]);
  }
});
