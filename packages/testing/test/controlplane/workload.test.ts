import { expect } from '@jest/globals';
import type { Body } from '../../controlplane/objects.ts';
import { nodeName } from '../../controlplane/fake-kubelet.ts';
import { newNamespace, sharedCluster } from './shared.ts';
import { until } from '../../waiting/until.ts';

const given = await sharedCluster();
const { test } = given;

function deployment(namespace: string, replicas: number): Body {
  const labels = { app: 'shop' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'shop', namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          initContainers: [{ name: 'before', image: 'example.com/before:1' }],
          containers: [{ name: 'shop', image: 'example.com/shop:1' }],
        },
      },
    },
  };
}

test('a Deployment scales to ready pods, and its pods are deleted with it', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'scales');
  const reference = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'shop' };
  const pods = { apiVersion: 'v1', kind: 'Pod', namespace };
  const readyReplicas = async (): Promise<number> => {
    const { body } = await admin.get(reference);
    return (body.status as { readyReplicas?: number }).readyReplicas ?? 0;
  };

  const options = { fieldValidation: 'Strict' } as const;
  expect(await admin.create(deployment(namespace, 2), options)).toMatchObject({ status: 201 });
  await until('two replicas are ready', async () => (await readyReplicas()) === 2);

  const scale = await admin.get(reference, 'scale');
  const wanted = { ...scale.body, spec: { replicas: 5 } };
  expect(await admin.put(reference, 'scale', wanted)).toMatchObject({ status: 200 });
  await until('five replicas are ready', async () => (await readyReplicas()) === 5);
  const { body } = await admin.list(pods, { fieldSelector: `spec.nodeName=${nodeName}` });
  expect(body.items).toHaveLength(5);
  const addresses = body.items?.map(({ status }) => (status as { podIP: string }).podIP);
  expect(new Set(addresses).size).toBe(5);

  expect((await admin.delete(reference)).status).toBe(200);
  await until('no pod is left', async () => {
    return (await admin.list(pods)).body.items?.length === 0;
  });
});

test('a pod that fits no node stays unready', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'nowhere');
  const spec = {
    nodeSelector: { disk: 'golden' },
    containers: [{ name: 'shop', image: 'example.com/shop:1' }],
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'shop', namespace }, spec };
  await until('the service account of pods is there', async () => {
    return (await admin.create(pod)).status === 201;
  });
  const reference = { apiVersion: 'v1', kind: 'Pod', namespace, name: 'shop' };
  const scheduled = await until('the scheduler reports it', async () => {
    const { status } = (await admin.get(reference)).body;
    const { conditions } = status as { conditions?: { type: string; reason?: string }[] };
    return conditions?.find(({ type }) => type === 'PodScheduled');
  });
  expect(scheduled).toMatchObject({ status: 'False', reason: 'Unschedulable' });
});

test('a namespace is deleted with everything in it', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'ends');
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop', namespace } };
  expect(await admin.create(config)).toMatchObject({ status: 201 });
  const reference = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  expect((await admin.delete(reference)).status).toBe(200);
  await until('the namespace is gone', async () => {
    return (await admin.get(reference)).status === 404;
  });
  const left = await admin.get({ ...config, namespace, name: 'shop' });
  expect(left.status).toBe(404);
});

test('the simulated node acts as a node to the API server, not as an administrator', async () => {
  const entries = await until('the audit log names it', () => {
    const entries = given.cluster
      .auditLog()
      .filter(({ user }) => user.username === `system:node:${nodeName}`);
    return entries.length > 0 && entries;
  });
  expect(entries[0]?.user.groups).toEqual(['system:nodes', 'system:authenticated']);
});
