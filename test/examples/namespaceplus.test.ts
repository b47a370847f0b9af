import { expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { crdManifest } from '../../crd.ts';
import { NamespacePlus, namespacePlusController } from '../../examples/namespaceplus/controller.ts';
import { namespacePlus } from '../../examples/namespaceplus/definition.ts';
import { manifests } from '../../examples/namespaceplus/manifests.ts';
import { rolesOf, type AccessRule } from '../../kube/access.ts';
import { ApiClient } from '../../runtime/client/apiclient.ts';
import type { Client } from '../../runtime/client/client.ts';
import { Transport } from '../../runtime/connection/transport.ts';
import type { Controller } from '../../runtime/controller/declaration.ts';
import { ifExists, ifGone } from '../../runtime/errors/expected.ts';
import { Namespace, ResourceQuota } from '../../runtime/kinds/core.ts';
import { jsonLog } from '../../runtime/log/log.ts';
import { systemClock } from '../../runtime/clock/systemclock.ts';
import { Manager } from '../../runtime/manager/manager.ts';
import { serve, untilServed } from '../cluster/crds.ts';
import type { Client as User } from '../../testing/controlplane/client.ts';
import type { Body } from '../../testing/controlplane/objects.ts';
import { sharedCluster, uniqueName } from '../testing/controlplane/shared.ts';
import { until } from '../../testing/controlplane/until.ts';
import { connectionOfUser } from '../runtime/connection/userconnection.ts';

const given = await sharedCluster();
const { test } = given;
const rbac = 'rbac.authorization.k8s.io';

/** What this file's users work with, closed at the end. */
async function withClient(user: User, use: (client: Client) => Promise<void>): Promise<void> {
  const transport = new Transport(connectionOfUser(user), { qps: Infinity });
  try {
    await use(new ApiClient(transport));
  } finally {
    transport.close();
  }
}

/** Somebody with these rights and no others. */
async function userWith(rules: readonly AccessRule[]): Promise<{ name: string; user: User }> {
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

async function setRole(name: string, rules: readonly AccessRule[]): Promise<void> {
  const { status } = await given.cluster.admin.apply(
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name },
      rules: rolesOf(rules).cluster,
    },
    { fieldManager: 'test' },
  );
  expect([200, 201]).toContain(status);
}

/** Runs the operator as a user while something is done as the administrator. */
async function running(
  controller: Controller,
  user: User,
  during: (admin: Client, lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const lines: string[] = [];
  const log = jsonLog({ clock: systemClock, write: (line) => lines.push(line) });
  const stop = new AbortController();
  await withClient(user, async (client) => {
    const run = new Manager({ controllers: [controller], client, log }).run(stop.signal);
    try {
      await withClient(given.cluster.admin, (admin) => during(admin, lines));
    } finally {
      stop.abort();
      await run;
    }
  });
}

const withoutNamespaces = namespacePlusController.access.filter(
  ({ resource, verbs }) => !(resource === 'namespaces' && verbs.includes('create')),
);

const conditionOf = async (client: Client, name: string) => {
  const { status } = await client.get(NamespacePlus, { name });
  return status?.conditions?.find(({ type }) => type === 'Ready');
};

test('a NamespacePlus makes its namespace and a quota of nothing, with what the manifests grant', async () => {
  for (const manifest of manifests) {
    const options = { fieldManager: 'test', fieldValidation: 'Strict' } as const;
    const { status } = await given.cluster.admin.apply(manifest as Body, options);
    expect([200, 201]).toContain(status);
  }
  await untilServed(given.cluster.admin, crdManifest(namespacePlus));
  const name = uniqueName('my-ns1');
  const quota = { name: 'default-quota', namespace: name };
  const user = await given.cluster.serviceAccount('namespaceplus', 'namespaceplus');
  await running(namespacePlusController, user, async (admin) => {
    await admin.create(NamespacePlus, { metadata: { name }, spec: { foo: 'bar' } });
    const ready = await until('the object is ready', 20, async () => {
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
    await until('the quota comes back', 20, async () => {
      const found = await admin.get(ResourceQuota, quota).catch(ifGone);
      return found !== undefined && found.metadata.uid !== made.metadata.uid;
    });
    const before = await admin.get(NamespacePlus, { name });
    await admin.delete(NamespacePlus, { name });
    await until('the object is gone', 20, async () => {
      return (await admin.get(NamespacePlus, { name }).catch(ifGone)) === undefined;
    });
    expect(before.status?.conditions).toEqual([ready]);
  });
});

test('what exists already stays as it is', async () => {
  await serve(given.cluster.admin, crdManifest(namespacePlus));
  const name = uniqueName('my-ns1');
  const { user } = await userWith(namespacePlusController.access);
  await running(namespacePlusController, user, async (admin) => {
    await admin.create(Namespace, { metadata: { name, labels: { team: 'a' } } }).catch(ifExists);
    const metadata = { name: 'default-quota', namespace: name };
    const quota = await admin.create(ResourceQuota, { metadata, spec: { hard: { pods: '5' } } });
    await admin.create(NamespacePlus, { metadata: { name } });
    await until('the object is ready', 20, async () => {
      return (await conditionOf(admin, name))?.status === 'True';
    });
    const now = await admin.get(ResourceQuota, metadata);
    expect([now.metadata.uid, now.spec?.hard]).toEqual([quota.metadata.uid, { pods: '5' }]);
    expect((await admin.get(Namespace, { name })).metadata.ownerReferences).toBeUndefined();
  });
});

test('without the line of access the call does not leave, and the line is named', async () => {
  await serve(given.cluster.admin, crdManifest(namespacePlus));
  const name = uniqueName('my-ns1');
  const { user } = await userWith(namespacePlusController.access);
  const controller = { ...namespacePlusController, access: withoutNamespaces };
  const message =
    "controller namespaceplus may not create namespaces: its access must have allow(Namespace, 'create')";
  await running(controller, user, async (admin, lines) => {
    await admin.create(NamespacePlus, { metadata: { name } });
    const condition = await until('the object is not ready', 20, () => conditionOf(admin, name));
    expect(condition).toMatchObject({ status: 'False', reason: 'Failed', message });
    await until('the refusal is logged', 20, () => lines.some((line) => line.includes(message)));
  });
  const asked = given.cluster
    .auditLog()
    .filter((entry) => entry.verb === 'create' && entry.objectRef?.resource === 'namespaces')
    .filter((entry) => entry.objectRef?.name === name);
  expect(asked).toEqual([]);
});

test('under a role that lacks a right the refusal of the API server is a condition, until the role has it', async () => {
  await serve(given.cluster.admin, crdManifest(namespacePlus));
  const name = uniqueName('my-ns1');
  const { name: role, user } = await userWith(withoutNamespaces);
  await running(namespacePlusController, user, async (admin) => {
    await admin.create(NamespacePlus, { metadata: { name } });
    const condition = await until('the object is not ready', 20, () => conditionOf(admin, name));
    expect(condition).toMatchObject({
      status: 'False',
      reason: 'Forbidden',
      message: expect.stringContaining('namespaces is forbidden: User "namespaceplus-'),
    });
    await setRole(role, namespacePlusController.access);
    await until('the object is ready', 30, async () => {
      return (await conditionOf(admin, name))?.status === 'True';
    });
    expect((await admin.get(Namespace, { name })).metadata.name).toBe(name);
  });
});

test('the program runs with a kubeconfig, and ends at SIGTERM with nothing to complain about', async () => {
  await serve(given.cluster.admin, crdManifest(namespacePlus));
  const name = uniqueName('my-ns1');
  const { name: role, user } = await userWith(namespacePlusController.access);
  const main = join(import.meta.dirname, '../../examples/namespaceplus/main.ts');
  const program = spawn(process.execPath, [main], {
    env: { ...process.env, KUBECONFIG: given.cluster.kubeconfigFile(`${role}.json`, user) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  program.stderr.on('data', (chunk) => (text += String(chunk)));
  const ended = once(program, 'exit');
  try {
    await withClient(given.cluster.admin, async (admin) => {
      await admin.create(NamespacePlus, { metadata: { name } });
      await until('the object is ready', 30, async () => {
        return (await conditionOf(admin, name))?.status === 'True';
      });
    });
  } finally {
    program.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: string });
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(lines.at(-1)).toMatchObject({ msg: 'the manager has stopped' });
});
