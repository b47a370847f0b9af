import { expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { metadataOf } from '../../kinds/kind.ts';
import type { Owns } from '../../controller/declaration.ts';
import { done } from '../../controller/context.ts';
import { Pod } from '../../kinds/core.ts';
import { ConfigMap, Country, Namespace, Secret, Shop } from './running.ts';

const reconcile = () => Promise.resolve(done);

test('the access of a controller is what it declares, and the grants that it lists', () => {
  const { access } = controller({
    name: 'shops',
    for: Shop,
    owns: [ConfigMap],
    watches: [{ kind: metadataOf(Secret), map: () => [] }],
    access: [allow(ConfigMap, 'create')],
    finalizer: { name: 'example.com/shops', cleanUp: reconcile },
    reconcile,
  });
  const reading = ['list', 'watch'];
  expect(access).toEqual([
    { group: 'example.com', resource: 'shops', verbs: reading },
    { group: '', resource: 'configmaps', verbs: reading },
    { group: '', resource: 'secrets', verbs: reading },
    { group: 'example.com', resource: 'shops', verbs: ['patch'] },
    { group: 'example.com', resource: 'shops/finalizers', verbs: ['update'] },
    { group: '', resource: 'configmaps', verbs: ['create'] },
  ]);
});

test('a controller of one namespace may read only there, and writes nothing unless it owns kinds', () => {
  const inMall = { namespace: 'mall' };
  const { access } = controller({ name: 'shops', for: Shop, selection: inMall, reconcile });
  expect(access).toEqual([
    {
      group: 'example.com',
      resource: 'shops',
      verbs: ['list', 'watch'],
      namespaces: ['mall'],
    },
  ]);
  const owning = controller({
    name: 'shops',
    for: Shop,
    selection: inMall,
    owns: [ConfigMap],
    finalizer: { name: 'example.com/shops', cleanUp: reconcile },
    reconcile,
  });
  expect(owning.access).toHaveLength(4);
  expect(owning.access.map(({ namespaces }) => namespaces)).toEqual(
    owning.access.map(() => ['mall']),
  );
});

test('a contradictory declaration is refused, with all of its contradictions at once', () => {
  const declare = () =>
    controller({
      name: 'Shops!',
      for: Shop,
      selection: { labelSelector: 'app=shop' },
      owns: [ConfigMap, Namespace],
      watches: [
        { kind: metadataOf(ConfigMap), map: () => [] },
        { kind: Country, selection: { namespace: 'mall' }, map: () => [] },
        { kind: Shop, map: () => [] },
      ],
      concurrency: 0,
      finalizer: { name: 'shops', cleanUp: reconcile },
      reconcile,
    });
  expect(declare).toThrow(
    new Error(
      [
        "controller Shops!: its name must be a DNS label: lower-case letters, digits and '-', at most 63 characters, got 'Shops!'",
        "controller Shops!: finalizer.name must be a domain, '/' and a name, such as example.com/Shops!, got 'shops'",
        'controller Shops!: concurrency must be a whole number above 0, got 0',
        'controller Shops!: Shop, which is namespaced, must own namespaced kinds, got Namespace: the garbage collector would delete it',
        'controller Shops!: Country must be selected without a namespace, as it lies in none, got mall',
        'controller Shops!: configmaps must be watched in one way: one selection, and whole, metadata only or one projection, got two',
        'controller Shops!: shops.example.com must be watched in one way: one selection, and whole, metadata only or one projection, got two',
      ].join('\n'),
    ),
  );
});

test('a selection that selects nothing, or hides owned objects, is refused', () => {
  const declare = (owns: readonly Owns[], selection = {}) =>
    controller({ name: 'shops', for: Shop, selection, owns, reconcile });
  // JavaScript callers can pass this.
  const fieldSelector = { fieldSelector: 'status.phase=Running' } as object;
  expect(() =>
    declare([
      { kind: ConfigMap, selection: fieldSelector },
      { kind: Secret, selection: { namespace: 'mall', labelSelector: 'a b' } },
    ]),
  ).toThrow(
    new Error(
      [
        'controller shops: ConfigMap must be owned by labelSelector and namespace alone, got fieldSelector',
        'controller shops: Shop must own Secret where it lies itself, got those in mall alone',
        "controller shops: Secret: a label selector must be conditions such as 'app=shop', 'env in (dev,test)' or '!retired', with ',' between them, got 'a b'",
      ].join('\n'),
    ),
  );
  const mall = { namespace: 'mall' };
  expect(() => declare([{ kind: Secret, selection: mall }], { namespace: 'street' })).toThrow(
    'Shop must own Secret where it lies itself, got those in mall alone',
  );
  expect(declare([{ kind: Secret, selection: mall }], mall).owns).toHaveLength(1);
  expect(() => declare([], { labelSelector: 'a b' })).toThrow('Shop: a label selector must be');
});

test.each(['shops', '/shops', 'example.com/', 'example.com/sh ops'])(
  'a finalizer with the name %j is refused',
  (name) => {
    const finalizer = { name, cleanUp: reconcile };
    expect(() => controller({ name: 'shops', for: Shop, finalizer, reconcile })).toThrow(
      `finalizer.name must be a domain, '/' and a name, such as example.com/shops, got '${name}'`,
    );
  },
);

test.each([0, -1, 1.5, NaN])('a concurrency of %j is refused', (concurrency) => {
  expect(() => controller({ name: 'shops', for: Shop, concurrency, reconcile })).toThrow(
    `concurrency must be a whole number above 0, got ${concurrency}`,
  );
});

test('a kind may be owned and watched, if both watch it in the same way', () => {
  const { owns, watches } = controller({
    name: 'shops',
    for: Country,
    owns: [ConfigMap, Namespace],
    watches: [
      { kind: ConfigMap, map: () => [] },
      { kind: Secret, selection: { namespace: 'mall' }, map: () => [] },
    ],
    finalizer: { name: 'example.com/countries', cleanUp: reconcile },
    reconcile,
  });
  expect([owns.length, watches.length]).toEqual([2, 2]);
});

test('a reconcile can read only the kinds that its controller watches', () => {
  controller({
    name: 'shops',
    for: Shop,
    owns: [ConfigMap, { kind: Pod, selection: { labelSelector: 'app=shop' } }],
    watches: [
      { kind: Secret, map: ({ type }) => [{ name: type ?? '', namespace: 'mall' }] },
      {
        kind: metadataOf(Namespace),
        // @ts-expect-error only metadata is there
        map: ({ spec }) => [{ name: String(spec) }],
      },
    ],
    reconcile: async ({ object, cache, children }) => {
      const size: number | undefined = object.spec?.size;
      // @ts-expect-error objects of the API server are not changed
      object.metadata.name = String(size);
      cache.get(Secret, { name: 'a' })?.type?.trim();
      children(ConfigMap);
      const names: string[] = children(Pod).flatMap(({ spec }) => spec?.containers[0]?.name ?? []);
      // @ts-expect-error a Pod has no such field
      names.push(...children(Pod).map(({ data }) => data));
      // @ts-expect-error nobody watches it
      children(Country);
      // @ts-expect-error nobody watches it
      cache.get(Country, { name: 'a' });
      return done;
    },
  });
  expect(Shop.plural).toBe('shops');
});
