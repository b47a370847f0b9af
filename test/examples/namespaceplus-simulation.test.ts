import { test } from '@jest/globals';
import { NamespacePlus, namespacePlusController } from '../../examples/namespaceplus/controller.ts';
import { namespacePlus } from '../../examples/namespaceplus/definition.ts';
import { isConditionTrue } from '@tenantry/runtime/conditions/conditions';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { simulate } from '@tenantry/testing/simulation/simulate';
import type { SimulateProps } from '@tenantry/testing/simulation/simulate-props';
import type { ClusterView } from '@tenantry/testing/simulation/cluster-view';
import { someSchedules } from './schedules.ts';

const names = ['my-ns1', 'my-ns2'];
const quotaIn = (namespace: string) => ({ name: 'default-quota', namespace });

const isOwned = ({
  metadata,
}: {
  readonly metadata: { readonly ownerReferences?: readonly object[] };
}) => metadata.ownerReferences !== undefined;

const given = {
  controllers: () => [namespacePlusController],
  definitions: [namespacePlus],
  actions: {
    'one is made': ({ api, pick }) => {
      api.create(NamespacePlus, { metadata: { name: pick(names) } });
    },
    'one is deleted': ({ api, pick }) => void api.delete(NamespacePlus, { name: pick(names) }),
    'one gets a note': ({ api, pick }) => {
      api.patch(NamespacePlus, { name: pick(names) }, { spec: { foo: pick(['a', 'b']) } });
    },
    'somebody makes the namespace': ({ api, pick }) => {
      api.create(Namespace, { metadata: { name: pick(names), labels: { of: 'somebody' } } });
    },
    'somebody deletes the namespace': ({ api, pick }) => {
      api.delete(Namespace, { name: pick(names) });
    },
    'somebody raises the quota': ({ api, pick }) => {
      api.patch(ResourceQuota, quotaIn(pick(names)), { spec: { hard: { pods: '5' } } });
    },
  },
  always: {
    'the operator changes and deletes no existing object': (_, { who, type, of }) =>
      who !== 'operator' || type === 'created' || of(NamespacePlus) !== undefined,
    'a foreign namespace is only deleted by its owner': (_, { who, type, of }) => {
      const before = type === 'changed' ? of(Namespace)?.before : undefined;
      if (!before || isOwned(before) || who === 'namespace-controller') return;
      return who === 'somebody';
    },
  },
} satisfies SimulateProps;

const eventually = {
  'each has its namespace and its quota, and reports that it is ready': ({
    get,
    list,
  }: ClusterView) =>
    list(NamespacePlus).every(
      ({ metadata: { name }, status }) =>
        get(Namespace, { name })?.status?.phase === 'Active' &&
        get(ResourceQuota, quotaIn(name)) !== undefined &&
        isConditionTrue(status?.conditions, 'Ready'),
    ),
  'owned objects are deleted with their owner': ({ get, list }: ClusterView) =>
    list(Namespace).every(
      (namespace) =>
        !isOwned(namespace) || get(NamespacePlus, { name: namespace.metadata.name }) !== undefined,
    ),
};

test('in the end each has its namespace and quota, and foreign objects are untouched', async () => {
  await simulate({ ...given, eventually, ...someSchedules(40) });
}, 1_800_000);

test('the same holds with two replicas', async () => {
  const { always: _, ...rest } = given;
  await simulate({ ...rest, eventually, replicas: 2, ...someSchedules(8) });
}, 1_800_000);
