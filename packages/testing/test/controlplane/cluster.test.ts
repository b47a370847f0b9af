import { expect } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../controlplane/client.ts';
import { startCluster } from '../../controlplane/cluster.ts';
import type { ObjectReference } from '../../controlplane/objects.ts';
import { ownClusters, uniqueName } from './shared.ts';
import { until } from '../../waiting/until.ts';

const given = await ownClusters();
const { test } = given;

const configMap = (name: string): ObjectReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'default',
  name,
});
const asObject = ({ namespace, name, ...kind }: ObjectReference) => ({
  ...kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

test('two clusters at once are ready and independent of each other', async () => {
  const options = { binaries: given.binaries };
  await using one = await startCluster(options);
  await using other = await startCluster(options);
  for (const { admin, details } of [one, other]) {
    const ready = await admin.request({ method: 'GET', path: '/readyz' });
    expect(ready).toMatchObject({ status: 200, body: { message: 'ok' } });
    const version = await admin.request({ method: 'GET', path: '/version' });
    if (!process.env['KUBEBUILDER_ASSETS']) {
      expect(version.body['gitVersion']).toMatch(`v${details.version}`.replace(/\d+$/, ''));
    }
  }
  const reference = configMap(uniqueName('seen-by-one'));
  expect(await one.admin.create(asObject(reference))).toMatchObject({ status: 201 });
  expect(await one.admin.get(reference)).toMatchObject({ status: 200 });
  expect(await other.admin.get(reference)).toMatchObject({ status: 404 });
  // An administrator of one has no rights on the other.
  const { token = '' } = one.admin.credentials;
  const foreignClient = new Client({ ...other.admin.credentials, token });
  expect(await foreignClient.get(reference)).toMatchObject({ status: 401 });
});

test('a user has only their own identity in RBAC and in the audit log, and a stopped cluster leaves no folder', async () => {
  await using cluster = await startCluster({ binaries: given.binaries });
  const alice = cluster.user('alice', { groups: ['team-a'] });
  const reference = configMap('of-team-a');
  expect(await alice.create(asObject(reference))).toMatchObject({
    status: 403,
    body: { reason: 'Forbidden', message: expect.stringContaining('User "alice" cannot create') },
  });

  const group = 'rbac.authorization.k8s.io';
  const inDefault = { name: 'writers', namespace: 'default' };
  const role = {
    apiVersion: `${group}/v1`,
    kind: 'Role',
    metadata: inDefault,
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }],
  };
  const binding = {
    apiVersion: `${group}/v1`,
    kind: 'RoleBinding',
    metadata: inDefault,
    roleRef: { apiGroup: group, kind: 'Role', name: 'writers' },
    subjects: [{ apiGroup: group, kind: 'Group', name: 'team-a' }],
  };
  expect(await cluster.admin.create(role)).toMatchObject({ status: 201 });
  expect(await cluster.admin.create(binding)).toMatchObject({ status: 201 });
  await until('her group may do it', async () => {
    return (await alice.create(asObject(reference))).status === 201;
  });
  expect(await cluster.user('bob').get(reference)).toMatchObject({ status: 403 });

  const entry = await until('the audit log has it', () =>
    cluster
      .auditLog()
      .find(({ objectRef, responseStatus }) =>
        objectRef?.name === 'of-team-a' ? responseStatus?.code === 201 : false,
      ),
  );
  expect(entry).toMatchObject({
    verb: 'create',
    user: { username: 'alice', groups: ['team-a', 'system:authenticated'] },
    objectRef: { resource: 'configmaps', namespace: 'default', name: 'of-team-a' },
    requestObject: { kind: 'ConfigMap' },
  });
  expect(entry.impersonatedUser).toBeUndefined();

  expect(existsSync(cluster.details.folder)).toBe(true);
  await cluster.stop();
  expect(existsSync(cluster.details.folder)).toBe(false);
  await cluster.stop();
});

test('a flag that the API server does not know is an error with its message', async () => {
  const starting = startCluster({
    binaries: given.binaries,
    apiServerFlags: ['--no-such-flag'],
  });
  await expect(starting).rejects.toThrow(/kube-apiserver ended[^]*unknown flag: --no-such-flag/);
});

test('a cluster that keeps its folder resumes from it, one process at a time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-kept-'));
  const options = { binaries: given.binaries, folder };
  const reference = configMap('kept');
  try {
    {
      await using first = await startCluster(options);
      expect(await first.admin.create(asObject(reference))).toMatchObject({ status: 201 });
      await expect(startCluster(options)).rejects.toThrow(/runs already, in process \d+$/);
    }
    await using again = await startCluster(options);
    expect(await again.admin.get(reference)).toMatchObject({ status: 200 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
