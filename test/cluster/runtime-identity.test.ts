import { afterAll, expect } from '@jest/globals';
import { Cache } from '@tenantry/runtime/cache/cache';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { systemClock } from '@tenantry/runtime/clock/clock';
import type { Selection } from '@tenantry/runtime/client/client';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { ConfigMap } from '@tenantry/runtime/kinds/core';
import type { Kind, Live } from '@tenantry/runtime/kinds/kind';
import { until } from '@tenantry/testing/waiting/until';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { ofOneVersion, serve } from './crds.ts';
import { RuntimeClients } from './runtime-clients.ts';

const given = await sharedCluster();
const { test } = given;
const Definition: Kind<object> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
};
const clients = new RuntimeClients();
const stop = new AbortController();
const runs: Promise<void>[] = [];
afterAll(async () => {
  stop.abort();
  await Promise.all(runs);
  clients.close();
});

/** Opens a cache that runs until the end of the file, and records what its handlers receive. */
function cached<K extends Kind>(kind: K, selection: Selection = {}) {
  const notifications: string[] = [];
  const cache = new Cache(
    { kind, selection, project: (object: Live<K>): Live<K> => object },
    {
      reader: clients.of(given.cluster.admin),
      clock: systemClock,
      random: Math.random,
      onError: (error) => notifications.push(String(error)),
    },
  );
  cache.subscribe({
    added: ({ metadata }) => notifications.push(`added ${metadata.name}`),
    deleted: ({ metadata }) => notifications.push(`deleted ${metadata.name}`),
  });
  runs.push(cache.run(stop.signal));
  return { cache, notifications };
}

test('property names that every JavaScript object has are ordinary names', async () => {
  const client = clients.of(given.cluster.admin);
  const namespace = await newNamespace(given.cluster, 'identity');
  const data = { ['__proto__']: '1', constructor: '2', hasOwnProperty: '3' };
  const metadata = {
    namespace,
    name: 'constructor',
    labels: { constructor: 'till', valueOf: 'x' },
  };
  const written = await client.create(ConfigMap, { metadata, data });
  expect(Object.entries(written.data ?? {})).toHaveLength(3);
  const all = cached(ConfigMap, { namespace });
  const some = cached(ConfigMap, { namespace, labelSelector: 'constructor=till,!toString' });
  await Promise.all([all.cache.synced, some.cache.synced]);
  const name = { namespace, name: 'constructor' };
  for (const { cache } of [all, some]) {
    expect(Object.entries(cache.get(name)?.data ?? {}).toSorted()).toEqual(
      Object.entries(data).toSorted(),
    );
  }
  const byKeys = ({ data = {} }: { readonly data?: object }): string[] => Object.keys(data);
  all.cache.index(byKeys);
  expect(all.cache.list({ index: { by: byKeys, is: '__proto__' } })).toHaveLength(1);
  expect(all.cache.list({ labelSelector: 'toString' })).toEqual([]);
  expect(all.cache.list({ labelSelector: 'valueOf=x' })).toHaveLength(1);
  expect(some.notifications).toEqual(['added constructor']);
});

test('an object that leaves a selection and comes back is reported each time, and own writes are read in between', async () => {
  const client = clients.of(given.cluster.admin);
  const namespace = await newNamespace(given.cluster, 'identity');
  const name = { namespace, name: 'a' };
  const { cache, notifications } = cached(ConfigMap, { namespace, labelSelector: 'app=till' });
  await cache.synced;
  await client.create(ConfigMap, { metadata: { ...name, labels: { app: 'till' } } });
  await until('the object is reported', () => notifications.length > 0);
  for (let count = 0; count < 10; count += 1) {
    for (const app of ['shelf', 'till']) {
      cache.written(await client.patch(ConfigMap, name, { metadata: { labels: { app } } }));
      expect(cache.get(name) !== undefined).toBe(app === 'till');
    }
  }
  await client.delete(ConfigMap, name);
  const everyTime = Array.from({ length: 11 }, () => ['added a', 'deleted a']).flat();
  await until('all changes are reported', () => notifications.length >= everyTime.length);
  expect(notifications).toEqual(everyTime);
  expect(cache.get(name)).toBeUndefined();
});

test('a kind that is deleted and served again with another scope is reported with the new scope', async () => {
  const plural = `${uniqueName('stall').replace('-', '')}s`;
  const group = 'runtime-identity.example.com';
  const names = { apiVersion: `${group}/v1`, kind: 'Stall', plural };
  const schema = { type: 'object' } as const;
  const Stall: Kind<object> = { group, version: 'v1', kind: 'Stall', plural, scope: 'Namespaced' };
  const client = clients.of(given.cluster.admin);
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'identity');
  await serve(admin, ofOneVersion(names, schema, 'Namespaced'));
  await client.create(Stall, { metadata: { namespace, name: 'a' } });
  const { cache, notifications } = cached(Stall);
  await cache.synced;
  const definition = { name: `${plural}.${group}` };
  await client.delete(Definition, definition);
  await until('the kind is gone', async () => {
    return (await client.get(Definition, definition).catch(ifGone)) === undefined;
  });
  const wide = ofOneVersion(names, schema, 'Cluster');
  await serve(admin, wide);
  const AtCluster: Kind<object> = { ...Stall, scope: 'Cluster' };
  await client.create(AtCluster, { metadata: { name: 'a' } });
  await until('the new object is reported', () => notifications.length >= 3);
  expect(notifications).toEqual(['added a', 'deleted a', 'added a']);
  expect(cache.list().map(({ metadata }) => metadata.namespace)).toEqual([undefined]);
  await expect(client.get(Stall, { name: 'a' })).rejects.not.toBeInstanceOf(ApiError);
});
