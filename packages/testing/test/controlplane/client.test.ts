import { expect } from '@jest/globals';
import type { Body } from '../../controlplane/objects.ts';
import { newNamespace, sharedCluster, uniqueName } from './shared.ts';
import { until } from '../../waiting/until.ts';

const given = await sharedCluster();
const { test } = given;

const configMap = (namespace: string, data: Record<string, string>): Body => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace },
  data,
});

test('an unknown field causes a warning, or a rejection in strict mode', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'strict');
  const odd = { ...configMap(namespace, {}), dta: {} };
  const asked = { fieldValidation: 'Warn', dryRun: true } as const;
  expect(await admin.create(odd, asked)).toMatchObject({
    status: 201,
    warnings: ['unknown field "dta"'],
  });
  expect(await admin.create(odd, { fieldValidation: 'Strict' })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('unknown field "dta"') },
    warnings: [],
  });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'settings' };
  expect(await admin.get(reference)).toMatchObject({ status: 404, body: { reason: 'NotFound' } });
});

test('a dry run of a deletion deletes nothing', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'dry');
  await admin.create(configMap(namespace, {}));
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'settings' };
  expect(await admin.delete(reference, { dryRun: true })).toMatchObject({ status: 200 });
  expect(await admin.get(reference)).toMatchObject({ status: 200 });
});

test('a field that one manager applied is taken over by another only by force', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'applied');
  const first = configMap(namespace, { colour: 'red' });
  const second = configMap(namespace, { colour: 'blue' });
  expect(await admin.apply(first, { fieldManager: 'one' })).toMatchObject({ status: 201 });
  expect(await admin.apply(second, { fieldManager: 'two' })).toMatchObject({
    status: 409,
    body: { details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.colour' }] } },
  });
  const forced = { fieldManager: 'two', force: true } as const;
  expect(await admin.apply(second, { ...forced, dryRun: true })).toMatchObject({ status: 200 });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'settings' };
  expect((await admin.get(reference)).body['data']).toEqual({ colour: 'red' });
  expect(await admin.apply(second, forced)).toMatchObject({ body: { data: { colour: 'blue' } } });
});

test('an object can be patched in three ways and replaced', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'patched');
  await admin.create(configMap(namespace, { a: '1' }));
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'settings' };
  await admin.patch(reference, { data: { b: '2' } });
  await admin.patch(reference, { data: { c: '3' } }, { type: 'strategic' });
  const operations = [{ op: 'remove', path: '/data/a' }];
  const { body } = await admin.patch(reference, operations, { type: 'json' });
  expect(body['data']).toEqual({ b: '2', c: '3' });
  expect(await admin.replace({ ...body, data: { d: '4' } })).toMatchObject({ status: 200 });
  expect(await admin.replace(body)).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
});

test('a kind that was defined a moment ago is found, with its status', async () => {
  const { admin } = given.cluster;
  const group = `${uniqueName('group')}.example.com`;
  const kind = { apiVersion: `${group}/v1`, kind: 'Lamp' };
  expect(await admin.list(kind)).toMatchObject({ status: 404 });
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `lamps.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind: 'Lamp', plural: 'lamps' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  };
  expect(await admin.create(crd, { fieldValidation: 'Strict' })).toMatchObject({ status: 201 });
  await until('the kind is served', async () => (await admin.list(kind)).status === 200);

  const lamp = { ...kind, metadata: { name: 'lamp' }, status: { lit: true } };
  const created = await admin.create(lamp);
  expect(created).toMatchObject({ status: 201 });
  expect(created.body.status).toBeUndefined();
  const withStatus = { ...created.body, status: { lit: true } };
  expect(await admin.replace(withStatus, { subresource: 'status' })).toMatchObject({
    status: 200,
    body: { status: { lit: true } },
  });
  await admin.delete({ apiVersion: crd.apiVersion, kind: crd.kind, name: crd.metadata.name });
});

test('a watch delivers changes and ends by its signal', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'watched');
  const kind = { apiVersion: 'v1', kind: 'ConfigMap', namespace };
  const { body } = await admin.list(kind);
  const ending = new AbortController();
  const options = {
    resourceVersion: body.metadata?.resourceVersion ?? '',
    fieldSelector: 'metadata.name=settings',
  };
  const seen: string[] = [];
  const watching = (async () => {
    for await (const { type, object } of admin.watch(kind, options, ending.signal)) {
      seen.push(`${type} ${object.metadata?.name}`);
    }
  })();
  await admin.create(configMap(namespace, {}));
  await admin.delete({ ...kind, name: 'settings' });
  await until('both are seen', () => seen.length === 2);
  ending.abort();
  await expect(watching).rejects.toThrow(/abort/i);
  expect(seen).toEqual(['ADDED settings', 'DELETED settings']);
});

test('a client with a token acts as the service account of the token', async () => {
  const namespace = await newNamespace(given.cluster, 'token');
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'app', namespace },
  };
  await given.cluster.admin.create(account);
  const app = await given.cluster.serviceAccount(namespace, 'app');
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  expect((await app.create(review)).body.status).toMatchObject({
    userInfo: { username: `system:serviceaccount:${namespace}:app` },
  });
});
