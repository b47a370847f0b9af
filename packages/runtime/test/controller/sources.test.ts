import { expect, test } from '@jest/globals';
import { controller } from '../../controller/controller.ts';
import { metadataOf, resourceOf, type Kind, type Live } from '../../kinds/kind.ts';
import { generationChanged } from '../../controller/predicate.ts';
import { done } from '../../controller/context.ts';
import type { Owns } from '../../controller/declaration.ts';
import type { Caches } from '../../controller/caches.ts';
import { ControllerRun } from '../../controller/controller-run.ts';
import { controllerUid } from '../../controller/ownership.ts';
import { ApiError } from '../../errors/api-error.ts';
import { jsonLog } from '../../log/log.ts';

import type { ObservedCluster } from '../observed-cluster.ts';
import {
  ConfigMap,
  Country,
  inMall,
  noting,
  Running,
  Secret,
  Shop,
  shops,
  town,
} from './running.ts';

test('a change of a watched object triggers a reconcile of the objects that it names, before and after the change', async () => {
  const seen: string[] = [];
  await using running = await new Running(
    controller({
      ...shops,
      watches: [
        {
          kind: Country,
          predicate: generationChanged,
          map: ({ spec }) => [inMall(spec?.capital ?? 'none')],
        },
      ],
      reconcile: noting(seen),
    }),
  ).start();
  const { cluster } = running;
  for (const name of ['a', 'b', 'c']) cluster.put(Shop, { metadata: inMall(name) });
  await running.pass();
  seen.length = 0;
  const france = { name: 'france' };
  cluster.put(Country, { metadata: france, spec: { capital: 'a' } });
  await running.pass();
  expect(seen).toEqual(['a']);
  cluster.put(Country, { metadata: france, spec: { capital: 'b' } });
  await running.pass();
  expect(seen).toEqual(['a', 'a', 'b']);
  cluster.touch(Country, france);
  await running.pass();
  expect(seen).toHaveLength(3);
  cluster.remove(Country, france);
  await running.pass();
  expect(seen).toEqual(['a', 'a', 'b', 'b']);
});

test('a mapping finds the objects that a change concerns in the cache, through an index of its own', async () => {
  const seen: string[] = [];
  const bySize = ({ spec }: Live<typeof Shop>): readonly string[] => [String(spec?.size)];
  const running = await new Running(
    controller({
      name: 'shops',
      for: Shop,
      watches: [
        {
          kind: Secret,
          map: ({ metadata: { labels } }, cache) => {
            const index = { by: bySize, is: labels?.['size'] ?? '' };
            return cache.list(Shop, { index }).map(({ metadata }) => metadata);
          },
        },
      ],
      reconcile: async ({ object, cache }) => {
        const index = { by: bySize, is: String(object.spec?.size) };
        const alike = cache.list(Shop, { index }).map(({ metadata }) => metadata.name);
        seen.push(`${object.metadata.name}: ${alike.toSorted().join()}`);
        return done;
      },
    }),
  ).start();
  const { cluster } = running;
  for (const [name, size] of Object.entries({ a: 1, b: 2, c: 1 })) {
    cluster.put(Shop, { metadata: inMall(name), spec: { size } });
  }
  await running.pass();
  seen.length = 0;
  cluster.put(Secret, { metadata: { ...inMall('key'), labels: { size: '1' } } });
  await running.pass();
  expect(seen).toEqual(['a: a,c', 'c: a,c']);
  await running.stop();
});

test('a predicate filters changes, but no deletion, no pause and no removal of the finalizer', async () => {
  const seen: string[] = [];
  await using running = await new Running(
    controller({
      ...shops,
      predicate: generationChanged,
      isPaused: ({ status }) => status?.seen === 13,
      finalizer: {
        name: 'example.com/shops',
        cleanUp: async () => {
          seen.push('clean-up');
          return done;
        },
      },
      reconcile: noting(seen),
    }),
  ).start();
  const { cluster } = running;
  const put = async (more: object, metadata: object = {}): Promise<void> => {
    cluster.put(Shop, { metadata: { ...inMall('a'), ...metadata }, ...more });
    await running.pass();
  };
  await put({ spec: { size: 1 } });
  await put({ spec: { size: 2 } });
  expect(seen).toEqual(['a', 'a']);
  await put({ status: { seen: 2 } });
  await put({}, { labels: { app: 'shop' } });
  expect(seen).toEqual(['a', 'a']);
  await put({ status: { seen: 13 } });
  expect(seen).toEqual(['a', 'a']);
  await put({ status: { seen: 14 } });
  expect(seen).toEqual(['a', 'a', 'a']);
  const annotations = { 'tenantry.dev/paused': 'true' };
  await put({}, { annotations });
  await put({}, { annotations: {} });
  expect(seen.splice(3)).toEqual(['a']);
  await put({}, { finalizers: [] });
  expect(seen).toHaveLength(4);
  expect(cluster.peek(Shop, inMall('a'))?.metadata.finalizers).toEqual(['example.com/shops']);
  cluster.remove(Shop, inMall('a'));
  await running.pass();
  expect(seen.slice(4)).toEqual(['clean-up']);
  expect(cluster.peek(Shop, inMall('a'))).toBeUndefined();
});

test('a predicate filters changes of objects that never had the finalizer', async () => {
  await using running = new Running(
    controller({
      ...shops,
      predicate: generationChanged,
      isPaused: () => true,
      finalizer: { name: 'example.com/shops', cleanUp: async () => done },
      reconcile: async () => done,
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  running.cluster.put(Shop, { metadata: { ...inMall('a'), labels: { app: 'shop' } } });
  await running.pass();
  expect(running.outcomes).toEqual(['paused']);
});

test('only selected owned objects are cached, and trigger their owner', async () => {
  const kept: string[][] = [];
  await using running = new Running(
    controller({
      ...shops,
      owns: [{ kind: ConfigMap, selection: { labelSelector: 'app=shop' } }],
      reconcile: async ({ cache, children }) => {
        const names = [cache.list(ConfigMap), children(ConfigMap)];
        kept.push(names.map((some) => some.map(({ metadata: { name } }) => name).join()));
        return done;
      },
    }),
  );
  const { cluster } = running;
  const { uid } = cluster.put(Shop, { metadata: inMall('a') }).metadata;
  const owner = { apiVersion: 'example.com/v1', kind: 'Shop', name: 'a', uid, controller: true };
  const put = async (name: string, app: string): Promise<void> => {
    const ownerReferences = [owner];
    cluster.put(ConfigMap, { metadata: { ...inMall(name), labels: { app }, ownerReferences } });
    await running.pass();
  };
  await put('own', 'shop');
  await put('other', 'bank');
  await running.start();
  expect(kept).toEqual([['own', 'own']]);
  await put('third', 'bank');
  expect(kept).toHaveLength(1);
  await put('own', 'bank');
  expect(kept.slice(1)).toEqual([['', '']]);
});

test('an error of a predicate or mapping is logged, and hides no other object', async () => {
  const failures: unknown[] = [];
  const seen: string[] = [];
  await using running = await new Running(
    controller({
      ...shops,
      predicate: ({ object }) => {
        if (object.metadata.name === 'bad') throw new Error('no predicate');
        return true;
      },
      watches: [
        {
          kind: Secret,
          map: ({ metadata: { name } }) => {
            if (name === 'bad') throw new Error('no mapping');
            return name === 'lost' ? [{ name: 'a' }] : [inMall('a')];
          },
        },
      ],
      reconcile: noting(seen),
    }),
    { observer: { handlerFailed: (_, error) => void failures.push(String(error)) } },
  ).start();
  const { cluster } = running;
  for (const name of ['bad', 'a']) cluster.put(Shop, { metadata: inMall(name) });
  for (const name of ['bad', 'lost']) cluster.put(Secret, { metadata: inMall(name) });
  await running.pass();
  expect(seen).toEqual(['bad', 'a']);
  cluster.put(Secret, { metadata: inMall('good') });
  await running.pass();
  expect(seen).toEqual(['bad', 'a', 'a']);
  expect(failures).toEqual([
    'Error: no predicate',
    'Error: no mapping',
    'Error: shops: map must name a Shop with a namespace, got a',
  ]);
  expect(running.messages.filter((one) => one === 'a predicate or mapping failed')).toHaveLength(3);
});

test('the children of an object are found by its uid', async () => {
  const found: string[] = [];
  await using running = new Running(
    controller({
      ...shops,
      owns: [ConfigMap],
      reconcile: async ({ object, children }) => {
        found.push(
          object.metadata.name,
          ...children(ConfigMap).map(({ metadata: { name } }) => name),
        );
        return done;
      },
    }),
  );
  const { cluster } = running;
  const { uid } = cluster.put(Shop, { metadata: inMall('a') }).metadata;
  const owner = { apiVersion: 'example.com/v1', kind: 'Shop', name: 'a', uid, controller: true };
  for (const [name, ownerReferences] of Object.entries({ b: [owner], c: [] })) {
    cluster.put(ConfigMap, { metadata: { ...inMall(name), ownerReferences } });
  }
  await running.start();
  expect(found).toEqual(['a', 'b']);
});

test('owned kinds are indexed by owner before the cache has any object', () => {
  const { cluster, caches } = new Running(controller({ ...shops, reconcile: async () => done }));
  const indexed: unknown[] = [];
  const open: Caches['open'] = (kind, wish) => {
    const opened = caches.open(kind, wish);
    opened.cache.index = (by) => void indexed.push([resourceOf(kind), by]);
    return opened;
  };
  const owning = controller({ ...shops, owns: [ConfigMap], reconcile: async () => done });
  const { client, clock } = cluster;
  const log = jsonLog({ clock, write: () => undefined });
  new ControllerRun(owning, { client, caches: { ...caches, open }, clock, random: () => 0, log });
  expect(indexed).toEqual([['configmaps', controllerUid]]);
});

test('owned objects are selected by their labels, in the namespace of the controller', async () => {
  const cluster = town();
  const owning = async (namespace: string | undefined, ...owns: readonly (Kind | Owns)[]) =>
    await new Running(
      controller({
        ...shops,
        for: namespace === undefined ? Country : Shop,
        selection: { namespace },
        owns,
        reconcile: async () => done,
      }),
      { cluster },
    ).start();
  const labelSelector = 'app=shop';
  await owning('mall', { kind: ConfigMap, selection: { labelSelector } }, { kind: Secret });
  const selection = { labelSelector, namespace: 'street' };
  await owning(undefined, { kind: metadataOf(ConfigMap), selection }, Secret);
  expect(watchedOf(cluster).filter(({ resource }) => !resource.includes('.'))).toEqual([
    { resource: 'configmaps', labelSelector, namespace: 'mall' },
    { resource: 'secrets', namespace: 'mall' },
    { resource: 'configmaps', ...selection, metadataOnly: true },
    { resource: 'secrets' },
  ]);
});

/** Returns the selection of each current watch. */
const watchedOf = ({ watched }: ObservedCluster) =>
  Array.from(watched, ({ resource, namespace, labelSelector, metadataOnly }) => ({
    resource,
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(metadataOnly && { metadataOnly }),
  }));

test('each kind is watched once, in the namespace of the controller', async () => {
  const cluster = town();
  const running = await new Running(
    controller({
      ...shops,
      selection: { namespace: 'mall' },
      owns: [ConfigMap],
      watches: [
        { kind: Shop, selection: { namespace: 'mall' }, map: () => [] },
        { kind: metadataOf(Secret), map: () => [] },
      ],
      reconcile: async () => done,
    }),
    { cluster },
  ).start();
  expect(watchedOf(cluster)).toEqual([
    { resource: 'shops.example.com', namespace: 'mall' },
    { resource: 'configmaps', namespace: 'mall' },
    { resource: 'secrets', metadataOnly: true },
  ]);
  await running.stop();
  expect(cluster.watched.size).toBe(0);
});

test('a controller does not wait for an optional kind, and reconciles all objects once the kind can be read', async () => {
  const seen: string[] = [];
  const cluster = town();
  let isServed = false;
  cluster.beforeRead = (resource) => {
    if (resource === 'secrets' && !isServed) throw new ApiError({ code: 403, reason: 'Forbidden' });
  };
  cluster.put(Shop, { metadata: inMall('a') });
  const secrets = metadataOf(Secret);
  await using running = await new Running(
    controller({
      ...shops,
      watches: [
        { kind: secrets, isOptional: true, map: ({ metadata }) => [inMall(metadata.name)] },
      ],
      reconcile: async ({ object, cache }) => {
        const { name } = object.metadata;
        seen.push(`${name} ${cache.isRead(secrets)} ${cache.list(secrets).length}`);
        return done;
      },
    }),
    { cluster },
  ).start();
  expect(seen).toEqual([]);
  await running.pass(5_000);
  expect(seen).toEqual(['a false 0']);
  cluster.put(Secret, { metadata: inMall('b') });
  isServed = true;
  await running.pass(60_000);
  expect(seen).toEqual(['a false 0', 'a true 1']);
  cluster.touch(Secret, inMall('b'));
  cluster.put(Secret, { metadata: inMall('a') });
  await running.pass();
  expect(seen).toEqual(['a false 0', 'a true 1', 'a true 2']);
});

test('an optional kind that is served is read before the first reconcile', async () => {
  const seen: string[] = [];
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a') });
  cluster.put(Secret, { metadata: inMall('b') });
  const secrets = { ...metadataOf(Secret), project: slim };
  await using _ = await new Running(
    controller({
      ...shops,
      watches: [{ kind: secrets, isOptional: true, map: () => [] }],
      reconcile: async ({ cache }) => {
        seen.push(...cache.list(secrets).flatMap(({ metadata }) => Object.keys(metadata)));
        return done;
      },
    }),
    { cluster },
  ).start();
  // Of the received metadata, only the part that the projection returns is kept.
  expect(seen).toEqual(['name', 'namespace', 'uid', 'resourceVersion']);
});

const slim = ({ apiVersion, kind, metadata }: Live): Live => {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } } as Live;
};
