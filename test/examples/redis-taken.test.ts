import { expect, test } from '@jest/globals';
import { redisController } from '../../examples/redis/controller.ts';
import { redis } from '../../examples/redis/definition.ts';
import { Redis } from '../../examples/redis/pods.ts';
import { Pod } from '@tenantry/runtime/kinds/core';
import { Running } from '@tenantry/runtime/test/controller/running';
import { ObservedCluster } from '@tenantry/runtime/test/observed-cluster';

const pod = { namespace: 'shop', name: 'sample-0' };

/** Runs the operator with a Redis whose pod name is taken by a foreign pod. */
async function running(labels: Readonly<Record<string, string>>) {
  const cluster = new ObservedCluster({ definitions: [redis], namespaces: ['shop'] });
  const spec = { containers: [{ name: 'other', image: 'other:1' }] };
  cluster.put(Pod, { metadata: { ...pod, labels }, spec });
  cluster.put(Redis, { metadata: { namespace: 'shop', name: 'sample' }, spec: { num: 1 } });
  const operator = await new Running(redisController, { cluster }).start();
  const tries = () => cluster.calls.filter((call) => call === 'create pods shop/sample-0').length;
  await operator.pass(9000);
  expect(tries()).toBe(1);
  return { operator, cluster, tries };
}

const orphaned = {
  'app.kubernetes.io/managed-by': 'redis-operator',
  'app.kubernetes.io/instance': 'sample',
};

test('a name of an orphaned pod is not requested again before that pod is gone', async () => {
  const { operator, cluster, tries } = await running(orphaned);
  await operator.pass(3_600_000);
  expect(tries()).toBe(1);
  cluster.remove(Pod, pod);
  await operator.pass(100);
  expect(cluster.peek(Pod, pod)?.metadata.ownerReferences).toMatchObject([{ name: 'sample' }]);
  await operator.stop();
});

test('a name of a pod that the operator does not read is requested every ten seconds', async () => {
  const { operator, cluster, tries } = await running({ app: 'other' });
  await operator.pass(51_000);
  expect(tries()).toBe(7);
  cluster.remove(Pod, pod);
  await operator.pass(10_000);
  expect(cluster.peek(Pod, pod)?.metadata.ownerReferences).toMatchObject([{ name: 'sample' }]);
  await operator.stop();
});
