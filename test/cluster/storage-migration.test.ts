import { afterAll, beforeAll, expect } from '@jest/globals';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { conversions, convertReview } from '@tenantry/crd/conversion';
import { define } from '@tenantry/crd/define';
import { crdManifest } from '@tenantry/crd/definition';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { kindOf, type Live } from '@tenantry/runtime/kinds/kind';
import { jsonLog } from '@tenantry/runtime/log/log';
import { Manager } from '@tenantry/runtime/manager/manager';
import { storageMigration } from '@tenantry/runtime/storage-migration/storage-migration';
import { integer, object, required } from '@tenantry/crd/schema/language';
import { Authority } from '@tenantry/testing/controlplane/credentials';
import { until } from '@tenantry/testing/waiting/until';
import { EtcdStore } from '@tenantry/testing/test/controlplane/etcd-store';
import type { OwnCluster } from '@tenantry/testing/test/controlplane/lender';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { Account, STREAMED } from './accounts.ts';
import { serve } from './crds.ts';
import { RuntimeClients } from './runtime-clients.ts';

const given = await ownClusters();
const { test } = given;
const clients = new RuntimeClients();
afterAll(() => clients.close());

const schemas = {
  v1: object('A box.', { spec: required(object('', { size: required(integer('')) })) }),
  v2: object('A box.', { spec: required(object('', { width: required(integer('')) })) }),
};

/** Declares boxes with this storage version. */
const boxes = (storage: 'v1' | 'v2') =>
  define({
    group: 'store.example.com',
    kind: 'Box',
    plural: 'boxes',
    scope: 'Namespaced',
    versions: {
      v1: { schema: schemas.v1, storage: storage === 'v1' },
      v2: { schema: schemas.v2, storage: storage === 'v2' },
    },
  });
const [old, now] = [boxes('v1'), boxes('v2')];
const [v1, v2] = [kindOf(now, 'v1'), kindOf(now, 'v2')];
const name = 'boxes.store.example.com';

/** The size of boxes that cannot be converted. */
let unconvertible: number | undefined;
const reviewed = conversions(now, 'v2', {
  v1: {
    toHub: ({ spec: { size } }) => {
      if (size === unconvertible) throw new Error(`nobody has boxes of ${size}`);
      return { spec: { width: size } };
    },
    fromHub: ({ spec: { width } }) => ({ spec: { size: width } }),
  },
});

const authority = new Authority();
const { certificate: cert, key } = authority.issue({
  commonName: 'conversions',
  hosts: ['127.0.0.1'],
});
const webhook = createServer({ cert, key }, async (request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(convertReview(reviewed, await json(request))));
});
beforeAll(() => new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  webhook.closeAllConnections();
  webhook.close();
});

/** Returns the definition, converted by the server above. */
function converted(definition: typeof old) {
  const { port } = webhook.address() as AddressInfo;
  const caBundle = Buffer.from(authority.pair.certificate).toString('base64');
  const clientConfig = { url: `https://127.0.0.1:${port}/convert`, caBundle };
  return crdManifest({
    ...definition,
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig, conversionReviewVersions: ['v1'] },
    },
  });
}

/** Returns the version in which etcd stores each box, by name. */
async function versionsIn({ details }: OwnCluster): Promise<Record<string, string>> {
  const store = new EtcdStore(join(details.folder, 'etcd.sock'));
  const versions: Record<string, string> = {};
  for (const { key, value } of await store.entries()) {
    if (!Buffer.from(key, 'base64').toString().includes('/store.example.com/boxes/')) continue;
    const { apiVersion, metadata } = JSON.parse(Buffer.from(value, 'base64').toString()) as Live;
    versions[metadata.name] = apiVersion.split('/')[1] ?? '';
  }
  return versions;
}

test('objects are migrated to the storage version with the declared rights, and the old version can be removed', async () => {
  await using cluster = await given.newCluster();
  const admin = clients.of(cluster.admin);
  await serve(cluster.admin, converted(old));
  for (const [one, size] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const) {
    await admin.create(v1, { metadata: { name: one, namespace: 'default' }, spec: { size } });
  }
  unconvertible = 2;
  await serve(cluster.admin, converted(now));
  const stored = async () =>
    (await admin.get(CustomResourceDefinition, { name })).status?.storedVersions;
  expect(await stored()).toEqual(['v1', 'v2']);
  await until('the API server stores in v2', async () => {
    await admin.patch(v1, { name: 'c', namespace: 'default' }, {});
    return (await versionsIn(cluster))['c'] === 'v2';
  });
  expect(await versionsIn(cluster)).toEqual({ a: 'v1', b: 'v1', c: 'v2' });
  const before = await admin.get(v1, { name: 'a', namespace: 'default' });

  const migration = storageMigration(now, { settle: 100 });
  const manager = { controllers: [migration] };
  const account = await Account.make(cluster, 'default', new Manager(manager).access);
  const lines: string[] = [];
  const log = jsonLog({ clock: systemClock, write: (line) => lines.push(line) });
  const stop = new AbortController();
  const client = clients.of(account.client);
  const running = new Manager({ ...manager, client, log }).run(stop.signal);
  await until('the box that cannot be converted is reported', () =>
    lines.some((line) => line.includes('nobody has boxes of 2')),
  );
  expect(await stored()).toEqual(['v1', 'v2']);
  unconvertible = undefined;
  await until('one version is stored', async () => (await stored())?.length === 1);
  stop.abort();
  await running;

  expect(await versionsIn(cluster)).toEqual({ a: 'v2', b: 'v2', c: 'v2' });
  const after = await admin.get(v1, { name: 'a', namespace: 'default' });
  expect(after).toEqual({
    ...before,
    metadata: { ...before.metadata, resourceVersion: after.metadata.resourceVersion },
  });
  const { apiVersion, kind, metadata, spec } = crdManifest(now);
  const versions = spec.versions.filter((version) => version.name === 'v2');
  const without = { apiVersion, kind, metadata, spec: { ...spec, versions } };
  await serve(cluster.admin, without);
  expect(await admin.get(v2, { name: 'b', namespace: 'default' })).toMatchObject({
    spec: { width: 2 },
  });
  const resource = 'customresourcedefinitions';
  await account.expectExactAccess([
    [{ group: 'apiextensions.k8s.io', resource, verbs: ['list'], resourceNames: [name] }, STREAMED],
  ]);
});

test('for an expired page the server returns how the list continues', async () => {
  await using cluster = await given.newCluster();
  const admin = clients.of(cluster.admin);
  await serve(cluster.admin, crdManifest(old));
  for (const one of ['a', 'b', 'c']) {
    await admin.create(v1, { metadata: { name: one, namespace: 'default' }, spec: { size: 1 } });
  }
  const { continue: next = '' } = await admin.list(v1, { limit: 1 });
  // The server keeps snapshots of its own cache for longer than etcd keeps its history.
  const token = JSON.parse(Buffer.from(next, 'base64url').toString()) as object;
  const expired = Buffer.from(JSON.stringify({ ...token, rv: 2 })).toString('base64url');
  await new EtcdStore(join(cluster.details.folder, 'etcd.sock')).forgetPast();
  const error: unknown = await admin
    .list(v1, { limit: 1, continue: expired })
    .catch((error: unknown) => error);
  if (!(error instanceof ApiError)) throw new Error('the page must have expired');
  expect([error.isExpired, typeof error.continue]).toEqual([true, 'string']);
  const rest = await admin.list(v1, { continue: error.continue });
  expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(['b', 'c']);
});
