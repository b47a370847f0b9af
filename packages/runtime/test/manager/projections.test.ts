import { expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { projectionOf } from '../../kinds/kind.ts';
import { done } from '../../controller/context.ts';
import { inMall, Secret, Shop } from '../controller/running.ts';
import { Managed } from './managed.ts';

const keys = projectionOf(Secret, ({ data }) => ({ key: text(data?.['shop']) }));
const text = (base64 = ''): string => Buffer.from(base64, 'base64').toString();
const reconcile = () => Promise.resolve(done);

test('only what a projection keeps is in memory, for watched and for written objects', async () => {
  const read: unknown[] = [];
  const shops = controller({
    name: 'shops',
    for: Shop,
    watches: [{ kind: keys, map: ({ key }) => [inMall(key)] }],
    access: [allow(Secret, 'create')],
    reconcile: async ({ object, cache, client }) => {
      const { name } = object.metadata;
      const metadata = inMall(`of-${name}`);
      const written = { metadata, stringData: { shop: name } };
      if (!cache.get(keys, metadata)) await client.create(Secret, written);
      read.push(...cache.list(keys).map(({ key, ...rest }) => [key, Object.keys(rest)]));
      return done;
    },
  });
  const managed = new Managed({ controllers: [shops] });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  await managed.pass(1000);
  const kept = ['a', ['apiVersion', 'kind', 'metadata']];
  expect(read.length).toBeGreaterThan(1);
  expect(read).toEqual(read.map(() => kept));
  await managed.stop();
});

test('a reconcile after the finalizer was added gets the projection, as any other does', async () => {
  const sizes = projectionOf(Shop, ({ spec }) => ({ size: spec?.size ?? 0 }));
  const read: unknown[] = [];
  const shops = controller({
    name: 'shops',
    for: sizes,
    finalizer: { name: 'example.com/shops', cleanUp: reconcile },
    reconcile: async ({ object }) => {
      read.push([Object.keys(object).toSorted(), object.size, object.metadata.finalizers]);
      return done;
    },
  });
  const managed = new Managed({ controllers: [shops] });
  managed.cluster.put(Shop, { metadata: inMall('a'), spec: { size: 7 } });
  await managed.start();
  await managed.pass(1000);
  const kept = [['apiVersion', 'kind', 'metadata', 'size'], 7, ['example.com/shops']];
  expect(read.length).toBeGreaterThan(0);
  expect(read).toEqual(read.map(() => kept));
  await managed.stop();
});

test('two controllers share one projection, and a second projection of the kind is refused', async () => {
  const watching = (name: string, kind: typeof keys) =>
    controller({ name, for: Shop, watches: [{ kind, map: () => [] }], reconcile });
  const one = new Managed({ controllers: [watching('a', keys), watching('b', keys)] });
  await one.start();
  expect(one.ended).toBeUndefined();
  await one.stop();

  const others = projectionOf(Secret, () => ({ key: '' }));
  const two = new Managed({ controllers: [watching('a', keys), watching('b', others)] });
  await two.start();
  expect(two.ended).toEqual(
    new Error(
      'the cache of secrets is used with another projection: one function must keep what all users read',
    ),
  );
});

test('a controller that watches a kind both whole and by a projection is refused', () => {
  const declare = () =>
    controller({
      name: 'shops',
      for: Shop,
      watches: [
        { kind: keys, map: () => [] },
        { kind: Secret, map: () => [] },
      ],
      reconcile,
    });
  expect(declare).toThrow(/secrets must be watched in one way: .* or one projection, got two/);
});

test('a field that a projection does not keep cannot be read', () => {
  controller({
    name: 'shops',
    for: Shop,
    watches: [
      {
        kind: keys,
        // @ts-expect-error the key alone is kept
        map: ({ data }) => [inMall(String(data))],
      },
    ],
    reconcile: async ({ cache, client }) => {
      cache.list(keys).map(({ key }) => key.trim());
      // @ts-expect-error the API server gives whole objects
      const listing = () => client.list(keys);
      return listing.length === 0 ? done : done;
    },
  });
  // @ts-expect-error so they are allowed as what they are
  expect(allow(keys, 'get').resource).toBe('secrets');
});
