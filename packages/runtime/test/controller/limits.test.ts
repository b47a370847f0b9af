import { expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { done } from '../../controller/context.ts';
import type { WrittenMeta } from '../../kinds/kind.ts';
import { ConfigMap, Country, inMall, Namespace, Running, Secret, Shop, shops } from './running.ts';

test('a namespaced owner creates no cluster-scoped objects, whatever the declaration hides', async () => {
  await using running = new Running(
    controller({
      ...shops,
      access: [allow(Country, 'create'), allow(Namespace, 'create')],
      reconcile: async ({ object, client, owned }) => {
        const { name, ownerReferences = [] } = owned({ metadata: { name: 'all' } }).metadata as {
          name: string;
          ownerReferences?: [];
        };
        await client.create(Country, { metadata: { name: object.metadata.name } });
        await client.create(Namespace, { metadata: { name, ownerReferences } });
        return done;
      },
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  expect(running.cluster.calls).toEqual(['create countries.example.com a']);
  expect(running.lines.at(-1)).toMatchObject({
    error: {
      message:
        'Shop, which is namespaced, must own namespaced kinds, got Namespace all: the garbage collector would delete it',
    },
  });
});

test.each(['create', 'update', 'apply'] as const)(
  'the client refuses to %s a child that the controller would never see',
  async (verb) => {
    await using running = new Running(
      controller({
        ...shops,
        owns: [{ kind: ConfigMap, selection: { labelSelector: 'app=shop,!old' } }],
        access: [allow(ConfigMap, 'create', 'update', 'patch')],
        reconcile: async ({ object, client, owned }) => {
          const [app, old] = object.metadata.name.split('-');
          const labels = { ...(app !== 'none' && { app }), ...(old && { old }) };
          await client[verb](ConfigMap, owned({ metadata: { name: 'child', labels } }));
          return done;
        },
      }),
    );
    const { cluster } = running;
    if (verb !== 'create') cluster.put(ConfigMap, { metadata: inMall('child') });
    for (const name of ['none', 'shop-yes', 'shop']) cluster.put(Shop, { metadata: inMall(name) });
    // With notifications, its own writes would trigger reconciles forever.
    cluster.isSilent = true;
    await running.start();
    const refused =
      'controller shops must own configmaps that app=shop,!old selects, as it sees no others, got child with';
    expect(running.errors.slice(0, 2)).toMatchObject([
      { name: 'none', error: { message: `${refused} no labels` } },
      { name: 'shop-yes', error: { message: `${refused} app=shop,old=yes` } },
    ]);
    expect(cluster.calls).toEqual([`${verb} configmaps mall/child`]);
  },
);

test('a child without a name is reported by its generateName', async () => {
  await using running = new Running(
    controller({
      ...shops,
      owns: [{ kind: ConfigMap, selection: { labelSelector: 'app=shop' } }],
      access: [allow(ConfigMap, 'create')],
      reconcile: async ({ client, owned }) => {
        await client.create(ConfigMap, owned({ metadata: { generateName: 'made-' } }));
        return done;
      },
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  expect(running.errors[0]).toMatchObject({
    error: { message: expect.stringMatching(/, got made- with no labels$/) },
  });
});

test('an owner in one namespace is refused children in another, and may write what it does not own', async () => {
  await using running = new Running(
    controller({
      name: 'countries',
      for: Country,
      owns: [{ kind: ConfigMap, selection: { namespace: 'mall', labelSelector: 'app=shop' } }],
      access: [allow(ConfigMap, 'create'), allow(Namespace, 'create')],
      reconcile: async ({ client, owned, object }) => {
        const [reference] = owned({ metadata: {} as WrittenMeta }).metadata.ownerReferences ?? [];
        const others = { a: { controller: false }, c: { kind: 'Town' } };
        for (const [name, other] of Object.entries(others)) {
          const ownerReferences = [{ ...reference!, ...other }];
          const metadata = { ...inMall(name, 'street'), ownerReferences };
          await client.create(ConfigMap, { metadata });
        }
        await client.create(Namespace, owned({ metadata: { name: 'd' } }));
        const labels = { app: 'shop' };
        await client.create(ConfigMap, owned({ metadata: { ...inMall('b'), labels } }));
        const { name } = object.metadata;
        await client.create(ConfigMap, owned({ metadata: { ...inMall(name, 'street'), labels } }));
        return done;
      },
    }),
  );
  running.cluster.put(Country, { metadata: { name: 'france' } });
  running.cluster.isSilent = true;
  await running.start();
  expect(running.cluster.calls).toEqual([
    'create configmaps street/a',
    'create configmaps street/c',
    'create namespaces d',
    'create configmaps mall/b',
  ]);
  expect(running.errors).toMatchObject([
    {
      error: {
        message:
          'controller countries must own configmaps in namespace mall, as it sees no others, got france in street',
      },
    },
  ]);
});

test('reading a kind that nobody watches is an error', async () => {
  await using running = new Running(
    controller({
      ...shops,
      reconcile: async ({ cache }) => {
        // @ts-expect-error nobody watches it
        cache.get(Secret, inMall('a'));
        return done;
      },
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  await running.start();
  expect(running.lines.at(-1)).toMatchObject({
    error: {
      message: 'shops must watch secrets to read it from a cache: add it to owns or watches',
    },
  });
});

test('a call without a grant is refused before it is sent, and the error names the missing grant', async () => {
  await using running = new Running(
    controller({
      ...shops,
      access: [allow(ConfigMap, 'create').in('mall')],
      reconcile: async ({ object, client }) => {
        const { name, namespace } = object.metadata;
        await client.create(ConfigMap, { metadata: inMall(name, namespace) });
        // @ts-expect-error nothing allows it
        await client.delete(ConfigMap, { name, namespace });
        return done;
      },
    }),
  );
  running.cluster.put(Shop, { metadata: inMall('a') });
  running.cluster.put(Shop, { metadata: inMall('b', 'street') });
  await running.start();
  expect(running.cluster.calls).toEqual(['create configmaps mall/a']);
  const failed = running.errors;
  expect(failed).toMatchObject([
    {
      error: {
        message:
          "controller shops may not delete configmaps: its access must have allow(ConfigMap, 'delete').in('mall')",
      },
    },
    {
      error: {
        message:
          "controller shops may not create configmaps: its access must have allow(ConfigMap, 'create').in('street')",
      },
    },
  ]);
});
