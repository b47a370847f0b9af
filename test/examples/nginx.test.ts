import { expect } from '@jest/globals';
import { nginxController } from '../../examples/nginx/controller.ts';
import { storedAsV1alpha2 } from '../../examples/nginx/definition.ts';
import { FORCED } from '../../examples/nginx/deployment.ts';
import { NginxV1alpha2 as Nginx } from '../../examples/nginx/kinds.ts';
import { manifestsOf } from '../../examples/nginx/manifests.ts';
import { LISTEN_CONF, readOperand } from '../../examples/nginx/operand.ts';
import { allow } from '@tenantry/runtime/access/grant';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { Deployment, ReplicaSet } from '@tenantry/runtime/kinds/apps';
import { Pod, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { Event } from '@tenantry/runtime/kinds/events';
import { scaleOf } from '@tenantry/runtime/kinds/kind';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { ASKED_BY_ADMISSION, STREAMED } from '../cluster/accounts.ts';
import { Example, runAs, tableOf } from './operator.ts';

const given = await sharedCluster();
const { test } = given;
const operand = readOperand();
/** The conditions that OLM would receive. */
const olmConditions: string[] = [];
const controller = nginxController({
  definition: storedAsV1alpha2,
  kind: Nginx,
  operand,
  report: ({ type, status, reason, message }) => {
    olmConditions.push(`${type} ${status} ${reason}${message === '' ? '' : `: ${message}`}`);
  },
});
const account = 'nginx-operator';
const example = new Example(given, {
  folder: 'nginx',
  account,
  manifests: manifestsOf('0.2.0', { replicas: 0 }),
  controller,
});
const admin = () => example.admin;

const name = 'sample';
const port = (containerPort: number) => ({ containerPort, protocol: 'TCP' as const });

/** Makes a namespace that enforces the Pod Security Standard "restricted". */
async function restrictedNamespace(): Promise<string> {
  await example.running;
  const namespace = await newNamespace(given.cluster, 'nginx');
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const object = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  expect((await given.cluster.admin.patch(object, { metadata: { labels } })).status).toBe(200);
  return namespace;
}

/** Makes an object in its own namespace and waits until its pods are ready. */
async function sample(spec: object = { replicas: 2 }, replicas = 2): Promise<string> {
  const namespace = await restrictedNamespace();
  await admin().create(Nginx, { metadata: { name, namespace }, spec });
  await untilWell(namespace, replicas);
  return namespace;
}

const degradedIn = async (namespace: string) => {
  const { status } = await admin().get(Nginx, { name, namespace });
  return findCondition(status?.conditions, 'OperatorDegraded');
};
const deploymentIn = (namespace: string) => admin().get(Deployment, { name, namespace });
const templateIn = async (namespace: string) => (await deploymentIn(namespace)).spec!.template;
const edit = (namespace: string, spec: object) =>
  admin().patch(Nginx, { name, namespace }, { spec });

async function untilWell(namespace: string, replicas: number): Promise<void> {
  await until(`the status has ${replicas} pods and is not degraded`, async () => {
    const { status, metadata } = await admin().get(Nginx, { name, namespace });
    const degraded = findCondition(status?.conditions, 'OperatorDegraded');
    const { reason, observedGeneration } = degraded ?? {};
    const isCurrent = reason === 'OperatorSucceeded' && observedGeneration === metadata.generation;
    return isCurrent && status?.replicas === replicas;
  });
}

async function eventsIn(namespace: string): Promise<string[]> {
  const { items } = await admin().list(Event, { namespace });
  return items
    .filter(({ regarding }) => regarding?.kind === 'NginxOperator')
    .map(({ type, reason }) => `${type} ${reason}`)
    .toSorted();
}

async function waitForEvent(namespace: string, event: string): Promise<void> {
  await until(`there is an event ${event}`, async () =>
    (await eventsIn(namespace)).includes(event),
  );
}

test('an NginxOperator has ready pods on its ports under the restricted Pod Security Standard', async () => {
  const ports = [{ ...port(80), name: 'http' }, port(9000)];
  const namespace = await sample({ ports, replicas: 2 });
  const { items } = await admin().list(Pod, { namespace });
  expect(items).toHaveLength(2);
  for (const { spec, metadata } of items) {
    expect(spec?.containers[0]?.ports).toEqual(ports);
    expect(metadata.annotations?.[LISTEN_CONF]).toBe('listen 80;\nlisten 9000;\n');
  }
  const { metadata } = await admin().get(Nginx, { name, namespace });
  const [owner] = (await deploymentIn(namespace)).metadata.ownerReferences ?? [];
  expect(owner).toMatchObject({ kind: 'NginxOperator', uid: metadata.uid, controller: true });
  expect(await degradedIn(namespace)).toMatchObject({ status: 'False', observedGeneration: 1 });
});

test('an empty spec gets one pod on 8080', async () => {
  const namespace = await sample({}, 1);
  const [nginx] = (await templateIn(namespace)).spec!.containers;
  expect(nginx?.ports).toEqual([port(8080)]);
});

test('0 replicas are no pods, and without the field there is one', async () => {
  const namespace = await sample({ replicas: 0 }, 0);
  expect((await admin().list(Pod, { namespace })).items).toEqual([]);
  await edit(namespace, { replicas: null });
  await untilWell(namespace, 1);
  await admin().patch(scaleOf(Nginx), { name, namespace }, { spec: { replicas: 3 } });
  await untilWell(namespace, 3);
});

test('a deleted Deployment is created again', async () => {
  const namespace = await sample();
  const { uid } = (await deploymentIn(namespace)).metadata;
  await admin().delete(Deployment, { name, namespace });
  await until('there is another', async () => {
    const found = await deploymentIn(namespace).catch(ifGone);
    return found !== undefined && found.metadata.uid !== uid;
  });
  await untilWell(namespace, 2);
});

test('manual changes of the Deployment are reverted, even if its label was removed', async () => {
  const namespace = await sample();
  const { uid } = (await deploymentIn(namespace)).metadata;
  const metadata = { labels: { 'app.kubernetes.io/managed-by': null } };
  await admin().patch(Deployment, { name, namespace }, {
    metadata,
    spec: { replicas: 5 },
  } as never);
  await until('it is as it was', async () => {
    const found = await deploymentIn(namespace);
    const label = found.metadata.labels?.['app.kubernetes.io/managed-by'];
    return found.metadata.uid === uid && found.spec?.replicas === 2 && label === account;
  });
});

/** Returns the number of rollouts: each template has its own ReplicaSet. */
async function rollouts(namespace: string): Promise<number> {
  const { items } = await admin().list(ReplicaSet, { namespace });
  return items.length;
}

test('each new value of forceRedploy is one rollout, and a restart of the operator is none', async () => {
  const namespace = await sample();
  expect(await rollouts(namespace)).toBe(1);
  for (const [forceRedploy, count] of [
    ['a', 2],
    ['b', 3],
    ['b', 3],
  ] as const) {
    await edit(namespace, { forceRedploy });
    await until(`the pods are of ${forceRedploy}`, async () => {
      const { metadata } = await templateIn(namespace);
      return metadata?.annotations?.[FORCED] === forceRedploy;
    });
    await untilWell(namespace, 2);
    await until('the Deployment controller has acted on the template', async () => {
      const { metadata, status } = await deploymentIn(namespace);
      return status?.observedGeneration === metadata.generation;
    });
    expect(await rollouts(namespace)).toBe(count);
  }
  await waitForEvent(namespace, 'Normal Redeploy');
  const { generation } = (await deploymentIn(namespace)).metadata;
  const { account: user } = await example.running;
  const second = runAs(user.client, controller);
  await until('another one has looked at it', () => second.outcomes.length > 0);
  await second.stop();
  expect((await deploymentIn(namespace)).metadata.generation).toBe(generation);
});

test('changed ports are one rollout that includes the files and probes of nginx', async () => {
  const namespace = await sample();
  await edit(namespace, { ports: [port(9090)] });
  await until('nginx listens there', async () => {
    const { metadata, spec } = await templateIn(namespace);
    const isSelected = spec!.containers[0]?.readinessProbe?.tcpSocket?.port === 9090;
    return isSelected && metadata?.annotations?.[LISTEN_CONF] === 'listen 9090;\n';
  });
  await untilWell(namespace, 2);
  expect(await rollouts(namespace)).toBe(2);
  await waitForEvent(namespace, 'Normal UpdateDeployment');
});

test('the operator blocks OLM upgrades while pods are being replaced', async () => {
  const namespace = await sample();
  const begin = olmConditions.length;
  await edit(namespace, { forceRedploy: 'now' });
  const [held, free] = [
    `Upgradeable False RollingOut: pods are being replaced of ${namespace}/${name}`,
    'Upgradeable True RolledOut',
  ];
  await until('it may', () => {
    const since = olmConditions.slice(begin);
    const at = since.indexOf(held);
    return at >= 0 && since.includes(free, at);
  });
});

test('events report what was created, and when the operand is available', async () => {
  const namespace = await sample();
  await waitForEvent(namespace, 'Normal OperatorSucceeded');
  expect(await eventsIn(namespace)).toEqual([
    'Normal CreateDeployment',
    'Normal OperatorSucceeded',
  ]);
});

test('missing pods are reported by a warning, and their return by an event', async () => {
  const namespace = await sample();
  const [pod] = (await admin().list(Pod, { namespace })).items;
  // Keep one pod unready with a finalizer: of two pods a rollout allows none to be missing (a quarter, rounded down).
  const finalizers = ['example.com/held'];
  await admin().patch(Pod, pod!.metadata, { metadata: { finalizers } });
  const ready = { type: 'Ready', status: 'False' };
  const { admin: user } = given.cluster;
  const reference = { apiVersion: 'v1', kind: 'Pod', namespace, name: pod!.metadata.name };
  const { status } = await user.patch(
    reference,
    { status: { conditions: [ready] } },
    { subresource: 'status' },
  );
  expect(status).toBe(200);
  await waitForEvent(namespace, 'Warning OperandDeploymentNotAvailable');
  await admin().patch(Pod, pod!.metadata, { metadata: { finalizers: null } } as never);
  await admin().delete(Pod, pod!.metadata).catch(ifGone);
  await untilWell(namespace, 2);
});

test('pods that cannot be created are reported with the reason until they can', async () => {
  const namespace = await restrictedNamespace();
  const quota = { name: 'none', namespace };
  await admin().create(ResourceQuota, { metadata: quota, spec: { hard: { pods: '0' } } });
  await until('the quota counts', async () => {
    const { status } = await admin().get(ResourceQuota, quota);
    return status?.hard !== undefined;
  });
  await admin().create(Nginx, { metadata: { name, namespace }, spec: {} });
  const failed = await until('the status reports it', async () => {
    const degraded = await degradedIn(namespace);
    return degraded?.reason === 'OperandDeploymentFailed' && degraded;
  });
  expect(failed).toMatchObject({
    status: 'True',
    message: expect.stringContaining('exceeded quota: none'),
  });
  await waitForEvent(namespace, 'Warning OperandDeploymentFailed');
  await admin().delete(ResourceQuota, quota);
  // The Deployment controller tries again when something changes.
  await edit(namespace, { forceRedploy: 'again' });
  await untilWell(namespace, 1);
});

test('a foreign Deployment with the name is left alone, and its deletion is awaited', async () => {
  const namespace = await restrictedNamespace();
  const matchLabels = { app: 'other' };
  const template = {
    metadata: { labels: matchLabels },
    spec: { containers: [{ name: 'o', image: 'o' }] },
  };
  const metadata = { name, namespace };
  const spec = { replicas: 0, selector: { matchLabels }, template };
  const other = await admin().create(Deployment, { metadata, spec });
  await admin().create(Nginx, { metadata, spec: {} });
  const failed = await until('the status reports it', () => degradedIn(namespace));
  expect(failed).toMatchObject({ status: 'True', reason: 'OperandDeploymentFailed' });
  const { metadata: now } = await deploymentIn(namespace);
  expect([now.uid, now.generation]).toEqual([other.metadata.uid, other.metadata.generation]);
  await admin().delete(Deployment, metadata);
  await edit(namespace, { replicas: 1 });
  await untilWell(namespace, 1);
});

test('nothing is written without a change', async () => {
  const namespace = await sample();
  const { resourceVersion } = (await deploymentIn(namespace)).metadata;
  const versionBefore = (await admin().get(Nginx, { name, namespace })).metadata.resourceVersion;
  const { account: user } = await example.running;
  const second = runAs(user.client, controller);
  await until('another one has looked at all', () => second.outcomes.length > 0);
  await second.stop();
  expect((await deploymentIn(namespace)).metadata.resourceVersion).toBe(resourceVersion);
  expect((await admin().get(Nginx, { name, namespace })).metadata.resourceVersion).toBe(
    versionBefore,
  );
});

test('its role grants what an NginxOperator needs, and nothing else', async () => {
  const namespace = await sample();
  // A second creation makes an event with a count.
  await admin().delete(Deployment, { name, namespace });
  await until('it is back', () => deploymentIn(namespace).catch(ifGone));
  await untilWell(namespace, 2);
  await example.expectExactAccess([
    [allow(Nginx, 'list'), STREAMED],
    [allow(Nginx, 'get'), 'asked for where nobody converts: nginx-releases.test.ts'],
    [allow(Deployment, 'list'), STREAMED],
    [allow(Nginx, 'update').subresource('finalizers'), ASKED_BY_ADMISSION],
  ]);
});

test('kubectl get shows the port, the pods, and whether it is degraded', async () => {
  const namespace = await sample({ ports: [port(80), port(443)], replicas: 2 });
  const path = `/apis/operator.example.com/v1alpha2/namespaces/${namespace}/nginxoperators`;
  expect(await tableOf(given.cluster.admin, path)).toEqual([
    {
      Name: name,
      Port: 80,
      Replicas: 2,
      Degraded: 'False',
      Reason: 'OperatorSucceeded',
      Age: expect.any(String),
    },
  ]);
});

test('the program creates the Deployment of the sample and ends at SIGTERM', async () => {
  const namespace = await newNamespace(given.cluster, 'nginx');
  await example.runProgram(namespace, () => untilWell(namespace, 2));
});
