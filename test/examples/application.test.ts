import { expect } from '@jest/globals';
import { Application, applicationController } from '../../examples/application/controller.ts';
import { manifestsOf } from '../../examples/application/manifests.ts';
import { allow } from '@tenantry/runtime/access/grant';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { Deployment, type DeploymentSpec } from '@tenantry/runtime/kinds/apps';
import { Pod } from '@tenantry/runtime/kinds/core';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { ASKED_BY_ADMISSION, STREAMED } from '../cluster/accounts.ts';
import { Example, tableOf } from './operator.ts';

const given = await sharedCluster();
const { test } = given;
const example = new Example(given, {
  folder: 'application',
  account: 'application-operator',
  manifests: manifestsOf(),
  controller: applicationController,
});
const admin = () => example.admin;

const name = 'web';
const matchLabels = { app: 'web' };

/** Returns the Deployment of the sample with `replicas` pods. Without `replicas` other clients may set the number. */
function template(replicas?: number, container: object = {}): DeploymentSpec {
  const web = { name: 'web', image: 'nginx:1.29-alpine', ...container };
  return {
    ...(replicas !== undefined && { replicas }),
    selector: { matchLabels },
    template: { metadata: { labels: matchLabels }, spec: { containers: [web] } },
  };
}

/** Makes an Application in its own namespace and waits until its pods are ready. */
async function sample(deployment = template(2), count = deployment.replicas ?? 1): Promise<string> {
  await example.running;
  const namespace = await newNamespace(given.cluster, 'application');
  await admin().create(Application, { metadata: { name, namespace }, spec: { deployment } });
  await untilCount(namespace, count);
  return namespace;
}

async function untilCount(namespace: string, count: number): Promise<void> {
  await until(`the count is ${count}`, async () => {
    return (await admin().get(Application, { name, namespace })).status?.count === count;
  });
}

const deploymentIn = (namespace: string) => admin().get(Deployment, { name, namespace });
const imageIn = async (namespace: string) =>
  (await deploymentIn(namespace)).spec?.template.spec?.containers[0]?.image;

async function appliedIn(namespace: string) {
  const { status } = await admin().get(Application, { name, namespace });
  return findCondition(status?.conditions, 'Applied');
}

test('an Application has the Deployment of its template and counts its ready pods', async () => {
  const namespace = await sample();
  const { metadata } = await admin().get(Application, { name, namespace });
  const deployment = await deploymentIn(namespace);
  expect(deployment.spec).toMatchObject(template(2));
  expect(deployment.metadata.ownerReferences).toEqual([
    {
      apiVersion: 'controller.daocloud.io/v1',
      kind: 'Application',
      name,
      uid: metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
  const { items } = await admin().list(Pod, { namespace });
  expect(items).toHaveLength(2);
  expect(await appliedIn(namespace)).toMatchObject({ status: 'True', observedGeneration: 1 });
});

test('a changed template changes the Deployment, and removed fields are removed', async () => {
  const namespace = await sample(template(1, { env: [{ name: 'A', value: 'b' }] }));
  expect((await deploymentIn(namespace)).spec?.template.spec?.containers[0]?.env).toHaveLength(1);
  const deployment = template(3, { image: 'nginx:1.30-alpine', env: null });
  await admin().patch(Application, { name, namespace }, { spec: { deployment } });
  await untilCount(namespace, 3);
  await until('the new image runs', async () => {
    return (await imageIn(namespace)) === 'nginx:1.30-alpine';
  });
  expect((await deploymentIn(namespace)).spec?.template.spec?.containers).toEqual([
    expect.not.objectContaining({ env: expect.anything() }),
  ]);
});

test('the Deployment and its pods are deleted with the Application', async () => {
  const namespace = await sample();
  await admin().delete(Application, { name, namespace });
  // The garbage collector discovers new kinds every 30 seconds.
  await until('nothing is left', async () => {
    const deployment = await deploymentIn(namespace).catch(ifGone);
    return !deployment && (await admin().list(Pod, { namespace })).items.length === 0;
  });
});

test('a deleted Deployment is created again', async () => {
  const namespace = await sample();
  const { uid } = (await deploymentIn(namespace)).metadata;
  await admin().delete(Deployment, { name, namespace });
  await until('there is another', async () => {
    const found = await deploymentIn(namespace).catch(ifGone);
    return found !== undefined && found.metadata.uid !== uid;
  });
  await untilCount(namespace, 2);
});

test('manual changes of templated fields are reverted', async () => {
  const namespace = await sample();
  const edited = template(5, { image: 'other' });
  await admin().patch(Deployment, { name, namespace }, { spec: edited });
  await until('it is as it was', async () => {
    const { spec } = await deploymentIn(namespace);
    return spec?.replicas === 2 && (await imageIn(namespace)) === 'nginx:1.29-alpine';
  });
});

test('fields that the template omits are left to others', async () => {
  const namespace = await sample(template());
  const metadata = { annotations: { 'example.com/team': 'shop' } };
  await admin().patch(Deployment, { name, namespace }, { metadata, spec: { replicas: 3 } });
  await untilCount(namespace, 3);
  const deployment = await deploymentIn(namespace);
  expect(deployment.spec?.replicas).toBe(3);
  expect(deployment.metadata.annotations).toMatchObject(metadata.annotations);
});

test('nothing is written without a change', async () => {
  const namespace = await sample();
  await until('the Deployment has settled', async () => {
    const { status } = await deploymentIn(namespace);
    return findCondition(status?.conditions, 'Progressing')?.reason === 'NewReplicaSetAvailable';
  });
  const note = (text: string) =>
    admin().patch(
      Application,
      { name, namespace },
      { metadata: { annotations: { 'example.com/note': text } } },
    );
  const writes = (resource: string, subresource?: string) =>
    given.cluster.auditLog().filter(({ verb, user, objectRef }) => {
      const isOurs = user.username.endsWith(':application-operator') && verb === 'patch';
      const { namespace: there, subresource: part } = objectRef ?? {};
      return (
        isOurs && there === namespace && objectRef?.resource === resource && part === subresource
      );
    }).length;
  const { resourceVersion } = (await deploymentIn(namespace)).metadata;
  const statusWrites = writes('applications', 'status');
  for (const text of ['a', 'b']) {
    const applied = writes('deployments');
    await note(text);
    await until('it was applied', () => writes('deployments') > applied);
  }
  expect((await deploymentIn(namespace)).metadata.resourceVersion).toBe(resourceVersion);
  expect([statusWrites > 0, writes('applications', 'status')]).toEqual([true, statusWrites]);
});

test('a status that someone else wrote is corrected', async () => {
  const namespace = await sample();
  const status = { count: 7 };
  await admin().patch(Application, { name, namespace }, { status }, { subresource: 'status' });
  await untilCount(namespace, 2);
});

test('a template that the API server rejects is reported with its message until it is corrected', async () => {
  await example.running;
  const namespace = await newNamespace(given.cluster, 'application');
  const metadata = { name, namespace };
  const wrong = { ...template(1), selector: { matchLabels: { app: 'other' } } };
  await admin().create(Application, { metadata, spec: { deployment: wrong } });
  const refused = await until('the condition reports it', () => appliedIn(namespace));
  expect(refused).toMatchObject({
    status: 'False',
    reason: 'Invalid',
    message: expect.stringContaining('`selector` does not match template `labels`'),
  });
  await admin().patch(Application, metadata, { spec: { deployment: template(1) } });
  await untilCount(namespace, 1);
  expect(await appliedIn(namespace)).toMatchObject({ status: 'True', observedGeneration: 2 });
});

test('a foreign Deployment with the name is left alone', async () => {
  await example.running;
  const namespace = await newNamespace(given.cluster, 'application');
  const metadata = { name, namespace };
  const other = template(1, { image: 'other' });
  const { uid } = (await admin().create(Deployment, { metadata, spec: other })).metadata;
  await admin().create(Application, { metadata, spec: { deployment: template(2) } });
  const refused = await until('the condition reports it', () => appliedIn(namespace));
  expect(refused).toMatchObject({ status: 'False', reason: 'NameTaken' });
  expect([await imageIn(namespace), (await deploymentIn(namespace)).metadata.uid]).toEqual([
    'other',
    uid,
  ]);
  await admin().delete(Deployment, metadata);
  await untilCount(namespace, 2);
});

test('its role grants what an Application needs, and nothing else', async () => {
  await sample();
  await example.expectExactAccess([
    [allow(Application, 'list'), STREAMED],
    [allow(Deployment, 'list'), STREAMED],
    [allow(Application, 'update').subresource('finalizers'), ASKED_BY_ADMISSION],
  ]);
});

test('kubectl get shows how many pods are ready', async () => {
  const namespace = await sample();
  const path = `/apis/controller.daocloud.io/v1/namespaces/${namespace}/applications`;
  expect(await tableOf(given.cluster.admin, path)).toEqual([
    { Name: name, Count: 2, Applied: 'True', Age: expect.any(String) },
  ]);
});

test('the program creates the Deployment of the sample and ends at SIGTERM', async () => {
  const namespace = await newNamespace(given.cluster, 'application');
  await example.runProgram(namespace, () => untilCount(namespace, 2));
});
