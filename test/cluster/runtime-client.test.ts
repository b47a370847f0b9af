import { afterAll, expect } from '@jest/globals';
import { ApiClient } from '@tenantry/runtime/client/api-client';
import { listPages, type Client, type PodLogOptions } from '@tenantry/runtime/client/client';
import { connectionFrom } from '@tenantry/runtime/connection/connection-from';
import { Transport } from '@tenantry/runtime/connection/transport';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { reactionTo } from '@tenantry/runtime/errors/reaction';
import { Pod } from '@tenantry/runtime/kinds/core';
import { kindOf, type Kind, scaleOf } from '@tenantry/runtime/kinds/kind';
import { define } from '@tenantry/crd/define';
import { crdManifest } from '@tenantry/crd/definition';
import { integer, object, required } from '@tenantry/crd/schema/language';
import { serve } from './crds.ts';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { configMaps, deployments, leases, namespaces } from '@tenantry/runtime/test/kinds/builtin';

const given = await sharedCluster();
const { test } = given;
const transports: Transport[] = [];
afterAll(() => transports.forEach((one) => one.close()));

function clientOf(user = given.cluster.admin, warned: (text: string) => void = () => {}): Client {
  const transport = new Transport(connectionOfUser(user), { qps: Infinity, observer: { warned } });
  transports.push(transport);
  return new ApiClient(transport, { fieldManager: 'runtime-test' });
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw error;
}

const data = { a: 'b' };

test('an object can be created, read, replaced, patched, applied and deleted', async () => {
  const client = clientOf();
  const namespace = await newNamespace(given.cluster, 'client');
  const metadata = { namespace, name: 'shop' };
  const created = await client.create(configMaps, { metadata, data });
  expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data });
  expect(await client.get(configMaps, metadata)).toEqual(created);
  const { resourceVersion } = created.metadata;
  const replaced = { metadata: { ...metadata, resourceVersion }, data: { a: 'c' } };
  await client.update(configMaps, replaced);
  const conflict = await failureOf(client.update(configMaps, replaced));
  expect([conflict.isConflict, reactionTo(conflict)]).toEqual([true, 'reread']);
  const patched = await client.patch(configMaps, metadata, { data: { a: null, d: 'e' } });
  expect(patched.data).toEqual({ d: 'e' });
  // Only a forced apply takes over the fields that the same manager has patched.
  const wanted = { metadata, data: { d: 'f' } };
  expect((await failureOf(client.apply(configMaps, wanted))).isFieldConflict).toBe(true);
  const applied = await client.apply(configMaps, wanted, { force: true });
  expect(applied.data).toEqual({ d: 'f' });
  expect(
    applied.metadata.managedFields?.map(({ manager, operation }) => [manager, operation]),
  ).toEqual(expect.arrayContaining([['runtime-test', 'Apply']]));
  await client.delete(configMaps, metadata, { preconditions: { uid: created.metadata.uid } });
  const gone = await failureOf(client.get(configMaps, metadata));
  expect([gone.isNotFound, gone.reason, gone.details.name]).toEqual([true, 'NotFound', 'shop']);
});

test('a deletion returns the object that waits for its finalizers, and nothing if the object is gone', async () => {
  const client = clientOf();
  const namespace = await newNamespace(given.cluster, 'client');
  const metadata = { namespace, name: 'a', finalizers: ['example.com/held'] };
  await client.create(configMaps, { metadata });
  const waiting = await client.delete(configMaps, metadata);
  expect(waiting?.metadata.deletionTimestamp).toBeDefined();
  const known = await client.get(configMaps, metadata);
  expect(known.metadata.resourceVersion).toBe(waiting?.metadata.resourceVersion);
  await client.patch(configMaps, metadata, { metadata: { finalizers: null } });
  await client.create(configMaps, { metadata: { namespace, name: 'b' } });
  expect(await client.delete(configMaps, { namespace, name: 'b' })).toBeUndefined();
});

test('a refusal of the server is classified by its reason', async () => {
  const client = clientOf();
  const namespace = await newNamespace(given.cluster, 'client');
  const metadata = { namespace, name: 'shop' };
  await client.create(configMaps, { metadata });
  const nobody = clientOf(given.cluster.user(uniqueName('nobody')));
  const crooked = { ...metadata, labels: { a: '?' } };
  const rows: [Promise<unknown>, keyof ApiError][] = [
    [client.create(configMaps, { metadata }), 'isAlreadyExists'],
    [client.create(configMaps, { metadata: { ...crooked, name: 'b' } }), 'isInvalid'],
    [nobody.get(configMaps, metadata), 'isForbidden'],
    [client.delete(configMaps, metadata, { preconditions: { uid: 'x' } }), 'isConflict'],
    [client.apply(configMaps, { metadata, data: { a: '1' } }, { fieldManager: 'x' }), 'isNotFound'],
    [client.list(configMaps, { continue: 'nonsense' }), 'isServerError'],
  ];
  const held = await Promise.all(
    rows.map(async ([promise, getter]) => {
      const error = await promise.catch((reason: unknown) => reason);
      return error instanceof ApiError
        ? `${error.status} ${getter} ${String(error[getter])}`
        : 'no error';
    }),
  );
  expect(held).toEqual([
    '409 isAlreadyExists true',
    '422 isInvalid true',
    '403 isForbidden true',
    '409 isConflict true',
    'no error',
    '400 isServerError false',
  ]);
});

test('fields that another manager applied are a conflict unless the apply is forced', async () => {
  const client = clientOf();
  const namespace = await newNamespace(given.cluster, 'client');
  const object = (value: string) => ({ metadata: { namespace, name: 'a' }, data: { a: value } });
  await client.apply(configMaps, object('1'), { fieldManager: 'other' });
  const refused = await failureOf(client.apply(configMaps, object('2')));
  expect([refused.isFieldConflict, reactionTo(refused)]).toEqual([true, 'give up']);
  expect((await client.apply(configMaps, object('2'), { force: true })).data).toEqual({ a: '2' });
});

test('an unknown field is refused, or a warning if the caller chooses so', async () => {
  const warnings: string[] = [];
  const client = clientOf(given.cluster.admin, (text) => void warnings.push(text));
  const namespace = await newNamespace(given.cluster, 'client');
  const { group, version, kind, plural, scope } = configMaps;
  const wrong: Kind<{ colour: string }> = { group, version, kind, plural, scope };
  const object = { metadata: { namespace, name: 'a' }, colour: 'red' };
  const refused = await failureOf(client.create(wrong, object));
  expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('colour') });
  await client.create(wrong, object, { fieldValidation: 'Warn', dryRun: true });
  expect(warnings).toEqual(['unknown field "colour"']);
  const { isNotFound } = await failureOf(client.get(wrong, object.metadata));
  expect(isNotFound).toBe(true);
});

test('pages list every object once, with and without its fields', async () => {
  const client = clientOf();
  const namespace = await newNamespace(given.cluster, 'client');
  const labels = { app: 'shop' };
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names)
    await client.create(configMaps, { metadata: { namespace, name, labels }, data });
  for (const metadataOnly of [false, true]) {
    const options = { namespace, labelSelector: 'app=shop', limit: 2, metadataOnly };
    const found: (string | undefined)[] = [];
    const sizes: number[] = [];
    for await (const page of listPages(client, configMaps, options)) {
      sizes.push(page.items.length);
      for (const { apiVersion, kind, metadata, data } of page.items) {
        found.push(metadata.name);
        expect([apiVersion, kind, data]).toEqual([
          'v1',
          'ConfigMap',
          metadataOnly ? undefined : { a: 'b' },
        ]);
      }
    }
    expect([sizes, found]).toEqual([[2, 2, 1], names]);
  }
  await client.deleteCollection(configMaps, { namespace, fieldSelector: 'metadata.name=a' });
  const left = await client.list(configMaps, { namespace, labelSelector: 'app' });
  expect(left.items.map(({ metadata }) => metadata.name)).toEqual(names.slice(1));
});

test('a watch reports changes, and ends by its signal', async () => {
  const client = clientOf();
  const namespace = await newNamespace(given.cluster, 'client');
  const { resourceVersion } = await client.list(leases, { namespace });
  const metadata = { namespace, name: 'a' };
  await client.create(leases, { metadata, spec: { holderIdentity: 'x' } });
  await client.patch(leases, metadata, { spec: { holderIdentity: 'y' } });
  await client.delete(leases, metadata);
  const controller = new AbortController();
  const { signal } = controller;
  const reason = new Error('enough');
  const received: string[] = [];
  const watch = async (): Promise<void> => {
    for await (const event of client.watch(leases, { namespace, resourceVersion, signal })) {
      if (event.type === 'BOOKMARK') continue;
      received.push(`${event.type} ${event.object.kind} ${event.object.spec?.holderIdentity}`);
      if (event.type === 'DELETED') controller.abort(reason);
    }
  };
  await expect(watch()).rejects.toBe(reason);
  expect(received).toEqual(['ADDED Lease x', 'MODIFIED Lease y', 'DELETED Lease y']);
});

test('a watch with initial events reports all existing objects, and then the end of that list', async () => {
  const client = clientOf();
  const namespace = await newNamespace(given.cluster, 'client');
  await client.create(configMaps, { metadata: { namespace, name: 'a' }, data });
  const received: string[] = [];
  const events = client.watch(configMaps, {
    namespace,
    fieldSelector: 'metadata.name=a',
    sendInitialEvents: true,
    resourceVersionMatch: 'NotOlderThan',
    metadataOnly: true,
  });
  for await (const event of events) {
    if (event.type === 'BOOKMARK') {
      expect(Number(event.resourceVersion)).toBeGreaterThan(0);
      if (event.isInitialEventsEnd) break;
    } else received.push(`${event.type} ${event.object.kind} ${JSON.stringify(event.object.data)}`);
  }
  expect(received).toEqual(['ADDED ConfigMap undefined']);
});

const int64 = { format: 'int64' } as const;
const counterDefinition = define({
  group: 'runtime.example.com',
  kind: 'Counter',
  plural: 'counters',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A counter.', {
        spec: required(
          object('What it should be.', {
            count: required(integer('Up to 2^63.', int64)),
            replicas: integer('How many.', { default: 1 }),
          }),
        ),
        status: object('What it is.', {
          count: integer('The count.', int64),
          replicas: integer('How many it has.'),
        }),
      }),
      subresources: {
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    },
  },
});
const counters = kindOf(counterDefinition, 'v1');

test('every digit, the status and the scale of a custom resource are written and read', async () => {
  await serve(given.cluster.admin, crdManifest(counterDefinition));
  const client = clientOf();
  const metadata = { namespace: await newNamespace(given.cluster, 'client'), name: 'a' };
  const count = 9_007_199_254_740_993n;
  const spec = { count: count as unknown as number };
  const created = await client.create(counters, { metadata, spec });
  expect(created.spec).toEqual({ count, replicas: 1 });
  await client.update(counters, { ...created, status: { count: 7 } }, { subresource: 'status' });
  const scales = scaleOf(counters);
  const scale = await client.patch(scales, metadata, { spec: { replicas: 3 } });
  expect(scale).toMatchObject({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    spec: { replicas: 3 },
  });
  await client.update(scales, { ...scale, spec: { replicas: 4 } });
  expect((await client.get(scales, metadata)).spec).toEqual({ replicas: 4 });
  const [read] = (await client.list(counters, { namespace: metadata.namespace })).items;
  expect(read).toMatchObject({ spec: { count, replicas: 4 }, status: { count: 7 } });
});

test('the server understands the options for the log of a pod', async () => {
  const client = clientOf();
  const namespace = await newNamespace(given.cluster, 'client');
  const pod = { namespace, name: 'shop' };
  const containers = [{ name: 'web', image: 'web' }];
  await client.create(Pod, { metadata: pod, spec: { containers } });
  const refusal = (options: PodLogOptions) => failureOf(client.podLog(pod, options));
  const now = { sinceSeconds: 1, sinceTime: new Date() };
  expect((await refusal({ tailLines: -1 })).message).toContain('tailLines: Invalid value: -1');
  expect((await refusal({ sinceSeconds: -1 })).message).toContain(
    'sinceSeconds: Invalid value: -1',
  );
  expect((await refusal({ limitBytes: 0 })).message).toContain('limitBytes: Invalid value: 0');
  expect((await refusal(now)).message).toContain('at most one of `sinceTime` or `sinceSeconds`');
  const wrong = await refusal({ container: 'none', previous: true, timestamps: true });
  expect([wrong.status, wrong.message]).toEqual([
    400,
    expect.stringContaining('container none is not valid for pod shop'),
  ]);
  const lines = client.followPodLog(pod, { container: 'none' })[Symbol.asyncIterator]();
  expect((await failureOf(lines.next())).status).toBe(400);
  const { cluster } = given;
  const unprivileged = clientOf(cluster.user(uniqueName('unprivileged')));
  expect((await failureOf(unprivileged.podLog(pod))).message).toContain(
    'cannot get resource "pods/log"',
  );
});

test('a list of a kind that is not served is not found', async () => {
  const kind: Kind = { ...deployments, group: 'nothing.example.com' };
  const error = await failureOf(clientOf().list(kind));
  expect([error.isNotFound, error.request]).toEqual([
    true,
    'GET /apis/nothing.example.com/v1/deployments',
  ]);
});

test('the client connects with a kubeconfig of the cluster', async () => {
  const kubeconfig = given.cluster.kubeconfigFile(`${uniqueName('runtime')}.json`);
  const transport = new Transport(await connectionFrom({ kubeconfig, environment: {} }));
  transports.push(transport);
  const name = { name: 'kube-system' };
  expect((await new ApiClient(transport).get(namespaces, name)).status?.phase).toBe('Active');
});

test('the server accepts the token of a service account', async () => {
  const namespace = await newNamespace(given.cluster, 'client');
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'a' } };
  await given.cluster.admin.create(account);
  const error = await failureOf(
    clientOf(await given.cluster.serviceAccount(namespace, 'a')).list(namespaces),
  );
  expect(error.message).toContain(`"system:serviceaccount:${namespace}:a" cannot list`);
});
