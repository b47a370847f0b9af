import { expect } from '@jest/globals';
import { redisController } from '../../examples/redis/controller.ts';
import { manifestsOf } from '../../examples/redis/manifests.ts';
import { PODS, Redis } from '../../examples/redis/pods.ts';
import { allow } from '@tenantry/runtime/access/grant';
import { isConditionTrue } from '@tenantry/runtime/conditions/conditions';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { Pod } from '@tenantry/runtime/kinds/core';
import { Event } from '@tenantry/runtime/kinds/events';
import type { Live, ObjectName } from '@tenantry/runtime/kinds/kind';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { ASKED_BY_ADMISSION, STREAMED } from '../cluster/accounts.ts';
import { Example, tableOf } from './operator.ts';

const given = await sharedCluster();
const { test } = given;
/** The objects that the operator's cache has held, as namespace/name. */
const kept = new Set<string>();
const example = new Example(given, {
  folder: 'redis',
  account: 'redis-operator',
  manifests: manifestsOf(),
  controller: {
    ...redisController,
    reconcile: (ctx) => {
      for (const { metadata } of ctx.cache.list(Pod)) {
        kept.add(`${metadata.namespace}/${metadata.name}`);
      }
      return redisController.reconcile(ctx);
    },
  },
});
const admin = () => example.admin;

const name = 'sample';
const [one, two, three] = ['sample-0', 'sample-1', 'sample-2'];
const reference = (namespace: string) => ({
  apiVersion: 'myapp.demo.kubebuilder.io/v1',
  kind: 'Redis',
  namespace,
  name,
});

/** Makes a namespace that enforces the Pod Security Standard "restricted". */
async function restrictedNamespace(): Promise<string> {
  const namespace = await newNamespace(given.cluster, 'redis');
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const object = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  const { status } = await given.cluster.admin.patch(object, { metadata: { labels } });
  expect(status).toBe(200);
  return namespace;
}

/** Makes the sample in its own namespace and waits until all of its pods are ready. */
async function sample(num = 3): Promise<string> {
  await example.running;
  const namespace = await restrictedNamespace();
  await admin().create(Redis, { metadata: { name, namespace }, spec: { port: 6379, num } });
  await untilReady(namespace, num);
  return namespace;
}

async function pods(namespace: string): Promise<readonly Live<typeof Pod>[]> {
  return (await admin().list(Pod, { namespace })).items;
}

/** Returns the sorted names of the pods that are ready and not being deleted. */
async function ready(namespace: string): Promise<string[]> {
  const isReady = ({ metadata, status }: Live<typeof Pod>) =>
    metadata.deletionTimestamp === undefined && isConditionTrue(status?.conditions, 'Ready');
  return (await pods(namespace)).filter(isReady).map(({ metadata }) => metadata.name);
}

async function untilReady(namespace: string, num: number): Promise<void> {
  await until(`${num} pods are ready, and the status has that number`, async () => {
    const { status } = await admin().get(Redis, { name, namespace });
    const all = await pods(namespace);
    const isReported = status?.replicas === num && status.ready === num;
    return isReported && all.length === num && (await ready(namespace)).length === num;
  });
}

/** Waits until another pod has the name. */
async function untilReplaced({
  uid,
  ...pod
}: ObjectName & { readonly uid: string }): Promise<void> {
  await until('another pod has its name', async () => {
    const found = await admin().get(Pod, pod).catch(ifGone);
    return found !== undefined && found.metadata.uid !== uid;
  });
}

test('a Redis has `num` ready pods on its port', async () => {
  const namespace = await sample();
  const all = await pods(namespace);
  expect(all.map(({ metadata }) => metadata.name)).toEqual([one, two, three]);
  for (const { spec } of all) {
    expect(spec?.containers).toMatchObject([
      {
        image: 'redis:5-alpine',
        imagePullPolicy: 'IfNotPresent',
        args: ['--port', '6379'],
        ports: [{ containerPort: 6379 }],
      },
    ]);
  }
});

test('a Redis is the controller of its pods', async () => {
  const namespace = await sample(1);
  const { uid } = (await admin().get(Redis, { name, namespace })).metadata;
  expect((await pods(namespace)).map(({ metadata }) => metadata.ownerReferences)).toEqual([
    [
      {
        apiVersion: 'myapp.demo.kubebuilder.io/v1',
        kind: 'Redis',
        name,
        uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  ]);
});

test('ports from 6370 to 6380 are accepted, and no others', async () => {
  await example.running;
  const namespace = await restrictedNamespace();
  const answers = await Promise.all(
    [6369, 6370, 6379, 6380, 6381].map(async (port) => {
      const { name: _, ...kind } = reference(namespace);
      const object = { ...kind, metadata: { name, namespace }, spec: { port } };
      const { status } = await given.cluster.admin.create(object, { dryRun: true });
      return [port, status];
    }),
  );
  expect(answers).toEqual([
    [6369, 422],
    [6370, 201],
    [6379, 201],
    [6380, 201],
    [6381, 422],
  ]);
});

test('an empty spec gets one pod on 6379', async () => {
  await example.running;
  const namespace = await restrictedNamespace();
  await admin().create(Redis, { metadata: { name, namespace }, spec: {} });
  await untilReady(namespace, 1);
  expect((await pods(namespace))[0]?.spec?.containers[0]?.args).toEqual(['--port', '6379']);
});

test('kubectl scale creates pods, and deletes those with the highest index', async () => {
  const namespace = await sample();
  const scaleTo = (replicas: number) =>
    given.cluster.admin.patch(
      reference(namespace),
      { spec: { replicas } },
      { subresource: 'scale' },
    );
  expect((await scaleTo(5)).status).toBe(200);
  await untilReady(namespace, 5);
  const before = await pods(namespace);
  expect((await scaleTo(2)).status).toBe(200);
  await untilReady(namespace, 2);
  const uids = (some: readonly Live<typeof Pod>[]) => some.map(({ metadata }) => metadata.uid);
  expect(uids(await pods(namespace))).toEqual(uids(before).slice(0, 2));
  expect((await scaleTo(0)).status).toBe(200);
  await untilReady(namespace, 0);
  expect((await scaleTo(101)).status).toBe(422);
});

test('the scale subresource has the selector and the number of pods for autoscalers', async () => {
  const namespace = await sample();
  const { body } = await given.cluster.admin.get(reference(namespace), 'scale');
  expect(body).toMatchObject({ spec: { replicas: 3 }, status: { replicas: 3 } });
  const { selector: labelSelector } = body.status as { selector: string };
  expect((await admin().list(Pod, { namespace, labelSelector })).items).toHaveLength(3);
});

test('a deletion names the observed pod, so that a later pod of the name is never deleted', async () => {
  const namespace = await sample(1);
  const { uid } = (await admin().get(Pod, { name: one, namespace })).metadata;
  await admin().patch(Redis, { name, namespace }, { spec: { num: 0 } });
  await untilReady(namespace, 0);
  const deletions = await until('the audit log has it', () => {
    const found = given.cluster.auditLog().filter(({ verb, user, objectRef }) => {
      const isOurs = user.username.endsWith(':redis-operator') && verb === 'delete';
      return isOurs && objectRef?.resource === 'pods' && objectRef.namespace === namespace;
    });
    return found.length > 0 && found;
  });
  expect(deletions.map(({ requestObject }) => requestObject)).toEqual([
    expect.objectContaining({ preconditions: { uid, resourceVersion: expect.any(String) } }),
  ]);
});

test('a deleted pod is created again', async () => {
  const namespace = await sample();
  const { uid } = (await admin().get(Pod, { name: two, namespace })).metadata;
  await admin().delete(Pod, { name: two, namespace });
  await untilReplaced({ name: two, namespace, uid });
  await untilReady(namespace, 3);
});

test('an evicted pod is replaced', async () => {
  const namespace = await sample();
  const pod = { apiVersion: 'v1', kind: 'Pod', name: two, namespace };
  const { uid } = (await admin().get(Pod, { name: two, namespace })).metadata;
  const status = { phase: 'Failed', reason: 'Evicted' };
  await given.cluster.admin.patch(pod, { status }, { subresource: 'status' });
  await untilReplaced({ name: two, namespace, uid });
  await untilReady(namespace, 3);
});

test('a changed port reaches every pod, and at most one pod is missing at a time', async () => {
  const namespace = await sample();
  const { resourceVersion } = await admin().list(Pod, { namespace });
  await admin().patch(Redis, { name, namespace }, { spec: { port: 6380 } });
  const serving = new Map([one, two, three].map((name) => [name, '6379']));
  const steps: string[] = [];
  for await (const event of admin().watch(Pod, { namespace, resourceVersion })) {
    if (event.type === 'BOOKMARK') continue;
    const { metadata, spec, status } = event.object;
    const isServing =
      event.type !== 'DELETED' &&
      metadata.deletionTimestamp === undefined &&
      isConditionTrue(status?.conditions, 'Ready');
    serving.set(metadata.name, isServing ? (spec?.containers[0]?.args?.[1] ?? '') : '-');
    const step = [...serving.values()].join(' ');
    if (step !== steps.at(-1)) steps.push(step);
    if (step === '6380 6380 6380') break;
  }
  expect(steps).toEqual([
    '6379 6379 -',
    '6379 6379 6380',
    '6379 - 6380',
    '6379 6380 6380',
    '- 6380 6380',
    '6380 6380 6380',
  ]);
});

test('a Redis stays until the last of its pods is gone', async () => {
  const namespace = await sample();
  const held = { name: one, namespace };
  await admin().patch(Pod, held, { metadata: { finalizers: ['example.com/held'] } });
  await admin().delete(Redis, { name, namespace });
  await until('all other pods are gone', async () => (await pods(namespace)).length === 1);
  const waiting = await admin().get(Redis, { name, namespace });
  expect(waiting.metadata.finalizers).toEqual(['myapp.demo.kubebuilder.io/pods']);
  await admin().patch(Pod, held, { metadata: { finalizers: null } });
  await until('nothing is left', async () => {
    const found = await admin().get(Redis, { name, namespace }).catch(ifGone);
    return found === undefined && (await pods(namespace)).length === 0;
  });
});

test('its finalizer causes no warning, and pod names as finalizers do', async () => {
  const namespace = await sample(1);
  const warningsOf = async (...finalizers: string[]) => {
    const patch = { metadata: { finalizers } };
    const options = { dryRun: true };
    const reply = await given.cluster.admin.patch(reference(namespace), patch, options);
    expect(reply.status).toBe(200);
    return reply.warnings;
  };
  expect(await warningsOf('myapp.demo.kubebuilder.io/pods')).toEqual([]);
  expect(await warningsOf('myapp.demo.kubebuilder.io/pods', one)).toEqual([
    expect.stringContaining('"sample-0": prefer a domain-qualified finalizer name'),
  ]);
});

test('events report which pods were created and deleted', async () => {
  const namespace = await sample(2);
  await admin().patch(Redis, { name, namespace }, { spec: { num: 1 } });
  await untilReady(namespace, 1);
  const listEvents = async () => {
    const { items } = await admin().list(Event, { namespace });
    return items
      .filter(({ regarding }) => regarding?.kind === 'Redis' && regarding.name === name)
      .map(({ reason, note }) => `${reason}: ${note}`)
      .toSorted();
  };
  await until('three events are there', async () => (await listEvents()).length === 3);
  expect(await listEvents()).toEqual([
    'CreatePod: created pod sample-0',
    'CreatePod: created pod sample-1',
    'DeletePod: deleted pod sample-1',
  ]);
});

test('a foreign pod with a name of the Redis is left alone, and its deletion is awaited', async () => {
  const { logs } = await example.running;
  const namespace = await newNamespace(given.cluster, 'redis');
  const containers = [{ name: 'other', image: 'other' }];
  const { metadata } = await admin().create(Pod, {
    metadata: { name: one, namespace },
    spec: { containers },
  });
  await admin().create(Redis, { metadata: { name, namespace }, spec: { num: 2 } });
  await until('the other pod exists, and the log gives the reason why one is missing', async () => {
    const isLogged = logs.some(
      (line) => line.includes(namespace) && line.includes('"taken":["sample-0"]'),
    );
    return isLogged && (await admin().get(Redis, { name, namespace })).status?.ready === 1;
  });
  const found = await admin().get(Pod, metadata);
  expect([found.metadata.uid, found.metadata.deletionTimestamp]).toEqual([metadata.uid, undefined]);
  await admin().delete(Pod, metadata);
  await untilReady(namespace, 2);
});

test('foreign pods are neither sent to the operator nor cached by it', async () => {
  const { account } = await example.running;
  const namespace = await newNamespace(given.cluster, 'redis');
  const labels = { 'app.kubernetes.io/name': 'redis' };
  const spec = { containers: [{ name: 'other', image: 'other' }] };
  for (const name of ['a', 'b'])
    await admin().create(Pod, { metadata: { name, namespace, labels }, spec });
  await admin().create(Redis, { metadata: { name, namespace }, spec: { num: 2 } });
  await until('its own pods are ready', async () => {
    return (await admin().get(Redis, { name, namespace })).status?.ready === 2;
  });
  const here = [...kept].filter((one) => one.startsWith(`${namespace}/`));
  expect(here.toSorted()).toEqual([`${namespace}/${one}`, `${namespace}/${two}`]);
  const asked = given.cluster
    .auditLog()
    .filter(({ user, verb }) => user.username === account.user && ['list', 'watch'].includes(verb))
    .filter(({ objectRef }) => objectRef?.resource === 'pods');
  const selectors = asked.map(({ requestURI }) =>
    new URL(requestURI, given.cluster.server).searchParams.get('labelSelector'),
  );
  expect(new Set(selectors)).toEqual(new Set([PODS]));
});

test('its role grants what a Redis needs from creation to deletion, and nothing else', async () => {
  const namespace = await sample(2);
  // A second creation makes an event with a count.
  const { uid } = (await admin().get(Pod, { name: one, namespace })).metadata;
  await admin().delete(Pod, { name: one, namespace });
  await untilReplaced({ name: one, namespace, uid });
  await untilReady(namespace, 2);
  await admin().patch(Redis, { name, namespace }, { spec: { num: 1 } });
  await untilReady(namespace, 1);
  await admin().delete(Redis, { name, namespace });
  await until('it is gone', async () => {
    return (await admin().get(Redis, { name, namespace }).catch(ifGone)) === undefined;
  });
  await example.expectExactAccess([
    [allow(Redis, 'list'), STREAMED],
    [allow(Pod, 'list'), STREAMED],
    [allow(Redis, 'update').subresource('finalizers'), ASKED_BY_ADMISSION],
  ]);
});

test('kubectl get shows how many pods there are', async () => {
  const namespace = await sample(2);
  const path = `/apis/myapp.demo.kubebuilder.io/v1/namespaces/${namespace}/redises`;
  expect(await tableOf(given.cluster.admin, path)).toEqual([
    { Name: name, Replicas: 2, Ready: 2, Port: 6379, Age: expect.any(String) },
  ]);
});

test('the program creates the pods of the sample and ends at SIGTERM', async () => {
  const namespace = await newNamespace(given.cluster, 'redis');
  await example.runProgram(namespace, () => untilReady(namespace, 3));
});
