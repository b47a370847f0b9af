import { expect } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { connectionFrom } from '@tenantry/runtime/connection/connection-from';
import { openClient } from '@tenantry/runtime/client/open-client';
import { allow } from '@tenantry/runtime/access/grant';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { SelfSubjectReview } from '@tenantry/runtime/kinds/authentication';
import { ConfigMap, Node, Pod, Secret, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { ConnectedControlPlane } from '../../controlplane/control-plane.ts';
import { sharedControlPlane, startControlPlane } from '../../controlplane/start-control-plane.ts';
import { until, untilObject } from '../../waiting/until.ts';
import { root } from '@tenantry/test-tools/structure/tracked';
import { newNamespace, sharedCluster, uniqueName } from './shared.ts';

const given = await sharedCluster();
const { test } = given;

/** Connects to the cluster of this run as a user of the package does. */
const connected = (): ConnectedControlPlane =>
  new ConnectedControlPlane(given.cluster.details, () => Promise.resolve());

const forbidden = { name: 'ApiError', isForbidden: true };

test('a user has the rights that were declared, and no others', async () => {
  await using cluster = connected();
  const [inside, outside] = await Promise.all(
    ['inside', 'outside'].map((name) => newNamespace(given.cluster, name)),
  );
  const name = `${uniqueName('anna')}/1@example.com`;
  const anna = await cluster.addUser(name, {
    groups: ['shops'],
    access: [allow(ConfigMap, 'create', 'get').in(inside!), allow(Secret, 'get').named('one')],
  });
  const settings = (namespace?: string) => ({ namespace: namespace!, name: 'settings' });
  await anna.client.create(ConfigMap, { metadata: settings(inside) });
  const create = anna.client.create(ConfigMap, { metadata: settings(outside) });
  await expect(create).rejects.toMatchObject(forbidden);
  await expect(anna.client.delete(ConfigMap, settings(inside))).rejects.toMatchObject(forbidden);
  const secret = { namespace: outside!, name: 'one' };
  expect(await anna.client.get(Secret, secret).catch(ifGone)).toBeUndefined();
  const other = anna.client.get(Secret, { ...secret, name: 'other' });
  await expect(other).rejects.toMatchObject(forbidden);

  const entry = await until('it is in the audit log', () =>
    cluster.auditLog().find(({ user, verb }) => user.username === name && verb === 'delete'),
  );
  expect(entry).toMatchObject({
    user: { groups: ['shops', 'system:authenticated'] },
    objectRef: { resource: 'configmaps', namespace: inside, name: 'settings' },
    responseStatus: { code: 403 },
  });
});

test('a service account is created with its namespace and has no more than its access', async () => {
  await using cluster = connected();
  const account = { namespace: uniqueName('operators'), name: 'operator' };
  const operator = await cluster.addServiceAccount(account, { access: [allow(Pod, 'list')] });
  expect(operator.name).toBe(`system:serviceaccount:${account.namespace}:operator`);
  expect((await operator.client.list(Pod)).items.length).toBeGreaterThanOrEqual(0);
  await expect(operator.client.list(ConfigMap)).rejects.toMatchObject(forbidden);
  const review = await operator.client.create(SelfSubjectReview, { metadata: {} });
  expect(review.status?.userInfo?.username).toBe(operator.name);
});

test('a kubeconfig authenticates as its user', async () => {
  await using cluster = connected();
  const anna = await cluster.addUser(uniqueName('anna'));
  for (const [kubeconfig, name] of [
    [anna.kubeconfig, anna.name],
    [cluster.kubeconfig, 'admin'],
  ] as const) {
    const client = openClient(await connectionFrom({ kubeconfig }));
    const { status } = await client.create(SelfSubjectReview, { metadata: {} });
    client.close();
    expect(status?.userInfo?.username).toBe(name);
    expect(statSync(kubeconfig).mode & 0o077).toBe(0);
  }
});

const definition = (kind: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind}s.things.example.com` },
  spec: {
    group: 'things.example.com',
    scope: 'Namespaced',
    names: { kind, plural: `${kind}s`, singular: kind },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  },
});

test('objects, files and folders are applied in order, and definitions are then served', async () => {
  await using cluster = connected();
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-manifests-'));
  try {
    const namespace = await newNamespace(given.cluster, 'manifests');
    const kind = uniqueName('thing').replace('-', '');
    const thing = (name: string, version: string) => ({
      apiVersion: `things.example.com/${version}`,
      kind,
      metadata: { name, namespace },
    });
    writeFileSync(join(folder, 'a.json'), JSON.stringify(definition(kind)));
    const documents = [thing('one', 'v1'), thing('two', 'v2')];
    writeFileSync(
      join(folder, 'b.yaml'),
      documents.map((one) => JSON.stringify(one)).join('\n---\n'),
    );
    writeFileSync(join(folder, 'README.md'), '# Not one of them');
    await cluster.apply(folder, thing('three', 'v2'));
    const reference = { apiVersion: 'things.example.com/v1', kind, namespace };
    const { body } = await given.cluster.admin.list(reference);
    const names = body.items?.map(({ metadata }) => metadata?.name);
    expect(names).toEqual(['one', 'three', 'two']);
    await cluster.apply(thing('three', 'v2'));

    const wrong = join(folder, 'wrong.yaml');
    writeFileSync(wrong, 'a: 1\n---\njust words\n---\nb: [\n');
    const problems = cluster.apply(wrong);
    await expect(problems).rejects.toThrow(`${wrong}:3:1 must be an object`);
    await expect(problems).rejects.toThrow(/wrong.yaml:\d+:\d+ must /);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an object that the API server rejects is reported with the server's message", async () => {
  await using cluster = connected();
  const metadata = { name: 'settings', namespace: 'default' };
  const odd = { apiVersion: 'v1', kind: 'ConfigMap', metadata, dta: {} };
  await expect(cluster.apply(odd)).rejects.toThrow(
    /^the API server must take ConfigMap settings, got 400 .*unknown field "dta"|field not declared/,
  );
});

test('a shared cluster is found by other processes, which do not end it', async () => {
  const cluster = await startControlPlane({ scheduler: false, readyPods: false });
  const folder = dirname(dirname(cluster.kubeconfig));
  try {
    cluster.share();
    const settings = { namespace: 'default', name: 'settings' };
    const program = `
      import { core } from '@tenantry/runtime';
      import { sharedControlPlane } from '@tenantry/testing';
      await using cluster = await sharedControlPlane({
        manifests: [${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: settings })}],
      });
      console.log(cluster.server, (await cluster.client.list(core.Node)).items.length);
    `;
    const args = ['--input-type=module-typescript', '--eval', program];
    const options = { cwd: root, env: process.env };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    expect(stdout).toBe(`${cluster.server} 0\n`);
    await using own = await sharedControlPlane();
    expect(own.server).toBe(cluster.server);
    expect((await own.client.get(ConfigMap, settings)).metadata.name).toBe('settings');
  } finally {
    await cluster.stop();
  }
  expect(existsSync(folder)).toBe(false);
  await expect(sharedControlPlane()).rejects.toThrow(
    /^TENANTRY_CONTROL_PLANE must name .* is gone$/,
  );
  delete process.env['TENANTRY_CONTROL_PLANE'];
});

test('without a shared cluster a new one starts, complete, and is deleted with its folder', async () => {
  const cluster = await sharedControlPlane();
  const folder = dirname(dirname(cluster.kubeconfig));
  await untilObject(
    'the node is there',
    cluster.client,
    Node,
    { name: 'pretend-node' },
    () => true,
  );
  const pod = {
    metadata: { namespace: 'default', name: 'shop' },
    spec: { containers: [{ name: 'shop', image: 'example.com/shop:1' }] },
  };
  await cluster.client.create(Pod, pod);
  const ready = await untilObject('it runs', cluster.client, Pod, pod.metadata, ({ status }) => {
    return status?.phase === 'Running';
  });
  const conditions = ready.status?.conditions?.filter(({ status }) => status === 'True');
  expect(conditions?.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['PodScheduled', 'Initialized', 'ContainersReady', 'Ready']),
  );
  const account = { namespace: 'default', name: 'default' };
  expect((await cluster.client.get(ServiceAccount, account)).metadata.name).toBe('default');
  await cluster.stop();
  await cluster.stop();
  expect(existsSync(folder)).toBe(false);
  await expect(cluster.client.list(Node)).rejects.toThrow(/is closed$/);
});

test('an unknown version is rejected before anything starts', async () => {
  const starting = startControlPlane({ kubernetesVersion: '1.2' });
  await expect(starting).rejects.toThrow(/the version, must be one of 1\..*, got '1.2'$/);
});
