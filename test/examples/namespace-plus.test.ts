import { afterAll, expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NamespacePlus, namespacePlusController } from '../../examples/namespaceplus/controller.ts';
import { manifestsOf } from '../../examples/namespaceplus/manifests.ts';
import { buildRoles, type PolicyRule } from '@tenantry/kube/access';
import { allow } from '@tenantry/runtime/access/grant';
import type { Client } from '@tenantry/runtime/client/client';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import { ifExists, ifGone } from '@tenantry/runtime/errors/reaction';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { Account, ASKED_BY_ADMISSION, STREAMED } from '../cluster/accounts.ts';
import type { Client as User } from '@tenantry/testing/controlplane/client';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { applyManifests, clientOf, closeClients, runAs, whileProgramRuns } from './operator.ts';

const given = await sharedCluster();
const { test } = given;
const rbac = 'rbac.authorization.k8s.io';
const folder = join(import.meta.dirname, '../../examples/namespaceplus');
afterAll(closeClients);

/** Applies the manifests and returns the account that they define. */
async function account(): Promise<Account> {
  await applyManifests(given.cluster, manifestsOf());
  const name = { name: 'namespaceplus', namespace: 'namespaceplus' };
  return Account.of(given.cluster, name, namespacePlusController.access);
}

/** Makes a user with a role that was written by hand. */
async function userWith(rules: readonly PolicyRule[]): Promise<{ name: string; user: User }> {
  const name = uniqueName('namespaceplus');
  await setRole(name, rules);
  const { status } = await given.cluster.admin.create({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: rbac, kind: 'User', name }],
  });
  expect(status).toBe(201);
  return { name, user: given.cluster.user(name) };
}

async function setRole(name: string, rules: readonly PolicyRule[]): Promise<void> {
  const role = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name }, rules };
  const { status } = await given.cluster.admin.apply(role, { fieldManager: 'test' });
  expect([200, 201]).toContain(status);
}

/** Runs the operator as a user while the administrator does something. */
async function running(
  controller: Controller,
  user: User,
  during: (admin: Client, lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const operator = runAs(user, controller);
  try {
    await during(clientOf(given.cluster.admin), operator.logs);
  } finally {
    await operator.stop();
  }
}

const conditionOf = async (client: Client, name: string) => {
  const { status } = await client.get(NamespacePlus, { name });
  return status?.conditions?.find(({ type }) => type === 'Ready');
};

test('a NamespacePlus gets its namespace and a zero quota, with exactly the rights of its role', async () => {
  const operator = await account();
  const name = uniqueName('my-ns1');
  const quota = { name: 'default-quota', namespace: name };
  await running(namespacePlusController, operator.client, async (admin) => {
    await admin.create(NamespacePlus, { metadata: { name }, spec: { foo: 'bar' } });
    const ready = await until('the object is ready', async () => {
      const condition = await conditionOf(admin, name);
      return condition?.status === 'True' && condition;
    });
    expect(ready).toMatchObject({ reason: 'Made', observedGeneration: 1 });
    const made = await admin.get(ResourceQuota, quota);
    expect(made.spec?.hard).toEqual({ cpu: '0', memory: '0', pods: '0' });
    const namespace = await admin.get(Namespace, { name });
    for (const { metadata } of [made, namespace]) {
      expect(metadata.ownerReferences).toMatchObject([{ kind: 'NamespacePlus', name }]);
    }
    await admin.delete(ResourceQuota, quota);
    await until('the quota comes back', async () => {
      const found = await admin.get(ResourceQuota, quota).catch(ifGone);
      return found !== undefined && found.metadata.uid !== made.metadata.uid;
    });
    const before = await admin.get(NamespacePlus, { name });
    await admin.delete(NamespacePlus, { name });
    await until('the object is gone', async () => {
      return (await admin.get(NamespacePlus, { name }).catch(ifGone)) === undefined;
    });
    expect(before.status?.conditions).toEqual([ready]);
  });
  await operator.expectExactAccess([
    [allow(NamespacePlus, 'list'), STREAMED],
    [allow(Namespace, 'list'), STREAMED],
    [allow(ResourceQuota, 'list'), STREAMED],
    [allow(NamespacePlus, 'update').subresource('finalizers'), ASKED_BY_ADMISSION],
  ]);
});

test('an existing namespace stays as it is', async () => {
  const { client } = await account();
  const name = uniqueName('my-ns1');
  await running(namespacePlusController, client, async (admin) => {
    await admin.create(Namespace, { metadata: { name, labels: { team: 'a' } } }).catch(ifExists);
    const metadata = { name: 'default-quota', namespace: name };
    const quota = await admin.create(ResourceQuota, { metadata, spec: { hard: { pods: '5' } } });
    await admin.create(NamespacePlus, { metadata: { name } });
    await until('the object is ready', async () => {
      return (await conditionOf(admin, name))?.status === 'True';
    });
    const now = await admin.get(ResourceQuota, metadata);
    expect([now.metadata.uid, now.spec?.hard]).toEqual([quota.metadata.uid, { pods: '5' }]);
    expect((await admin.get(Namespace, { name })).metadata.ownerReferences).toBeUndefined();
  });
});

/** The README on one line; its section on missing rights quotes the messages. */
const story = readFileSync(join(folder, 'README.md'), 'utf8').replaceAll(/\s+/g, ' ');

test('without its access rule a call is not sent, and the error names the missing rule', async () => {
  const { client, user } = await account();
  const name = uniqueName('my-ns1');
  // The compiler rejects this; JavaScript does not.
  const access = namespacePlusController.access.filter(
    ({ resource, verbs }) => !(resource === 'namespaces' && verbs.includes('create')),
  );
  expect(namespacePlusController.access).toHaveLength(access.length + 1);
  const message =
    "controller namespaceplus may not create namespaces: its access must have allow(Namespace, 'create')";
  await running({ ...namespacePlusController, access }, client, async (admin, lines) => {
    await admin.create(NamespacePlus, { metadata: { name } });
    const condition = await until('the object is not ready', () => conditionOf(admin, name));
    expect(condition).toMatchObject({ status: 'False', reason: 'Failed', message });
    await until('the refusal is logged', () => lines.some((line) => line.includes(message)));
  });
  const asked = given.cluster
    .auditLog()
    .filter((entry) => entry.user.username === user && entry.verb === 'create')
    .filter(({ objectRef }) => objectRef?.resource === 'namespaces' && objectRef.name === name);
  expect(asked).toEqual([]);
  expect(story).toContain(message);
});

test("if a hand-written role lacks a right, a condition shows the API server's message until it is granted", async () => {
  await account();
  const name = uniqueName('my-ns1');
  const group = 'mygroup.my.domain';
  const { name: role, user } = await userWith([
    { apiGroups: [group], resources: ['namespacepluses'], verbs: ['list', 'watch'] },
    { apiGroups: [group], resources: ['namespacepluses/status'], verbs: ['patch'] },
    { apiGroups: [''], resources: ['namespaces'], verbs: ['list', 'watch'] },
    { apiGroups: [''], resources: ['resourcequotas'], verbs: ['list', 'watch', 'create'] },
  ]);
  await running(namespacePlusController, user, async (admin) => {
    await admin.create(NamespacePlus, { metadata: { name } });
    const condition = await until('the object is not ready', () => conditionOf(admin, name));
    const refusal = (user: string): string =>
      `namespaces is forbidden: User "${user}" cannot create resource "namespaces" in API group "" at the cluster scope`;
    expect(condition).toMatchObject({
      status: 'False',
      reason: 'Forbidden',
      message: refusal(role),
    });
    expect(story).toContain(refusal('...'));
    await setRole(role, buildRoles(namespacePlusController.access).cluster);
    await until('the object is ready', async () => {
      return (await conditionOf(admin, name))?.status === 'True';
    });
    expect((await admin.get(Namespace, { name })).metadata.name).toBe(name);
  });
});

test('the program runs with a kubeconfig and ends at SIGTERM without complaints', async () => {
  const { client } = await account();
  const name = uniqueName('my-ns1');
  const admin = clientOf(given.cluster.admin);
  const kubeconfig = given.cluster.kubeconfigFile('namespaceplus.json', client);
  const { exit, logs } = await whileProgramRuns(join(folder, 'main.ts'), kubeconfig, async () => {
    await admin.create(NamespacePlus, { metadata: { name } });
    await until('the object is ready', async () => {
      return (await conditionOf(admin, name))?.status === 'True';
    });
  });
  expect(exit).toBe(0);
  expect(logs.filter(({ level }) => level === 'error')).toEqual([]);
  expect(logs.at(-1)).toMatchObject({ msg: 'the manager has stopped' });
});
