import { define } from '../../../crds/define.ts';
import { allow } from '../../../runtime/access/grant.ts';
import { controller } from '../../../runtime/controller/controller.ts';
import type { Controller } from '../../../runtime/controller/declaration.ts';
import { done } from '../../../runtime/controller/result.ts';
import { ifExists, ifGone } from '../../../runtime/errors/expected.ts';
import { ConfigMap } from '../../../runtime/kinds/core.ts';
import { kindOf } from '../../../runtime/kinds/kind-of.ts';
import { integer, object, string } from '../../../schema/language.ts';

export const shop = define({
  group: 'example.com',
  kind: 'Shop',
  plural: 'shops',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A shop.', {
        spec: object('What it should be.', {
          size: integer('How many shelves.', { minimum: 0, maximum: 9, default: 1 }),
        }),
        status: object('What is the case.', {
          state: string('What is said of it.'),
          openings: integer('How often it was opened anew.'),
          observedGeneration: integer('What that is said of.'),
        }),
      }),
    },
  },
});

export const Shop = kindOf(shop, 'v1');
export const namespace = 'default';
const part = { subresource: 'status' } as const;
const access = [
  allow(ConfigMap, 'create', 'patch', 'delete'),
  allow(Shop, 'patch').subresource('status'),
] as const;

/** As it should be: shelves under names of their own, owned by the shop, and a state that says so. */
export const soundController = (): Controller =>
  controller({
    name: 'sound',
    for: Shop,
    owns: [ConfigMap],
    access,
    async reconcile({ object, client, children, owned }) {
      const { name } = object.metadata;
      const { size = 1 } = object.spec ?? {};
      const names = Array.from({ length: size }, (_, i) => `${name}-${i}`);
      for (const one of names) {
        if (children(ConfigMap).some(({ metadata }) => metadata.name === one)) continue;
        const shelf = owned({ metadata: { name: one, namespace } });
        await client.create(ConfigMap, shelf).catch(ifExists);
      }
      for (const { metadata } of children(ConfigMap)) {
        if (!names.includes(metadata.name)) await client.delete(ConfigMap, metadata).catch(ifGone);
      }
      if (object.status?.state === `${size} shelves`) return done;
      const status = { state: `${size} shelves` };
      await client.patch(Shop, { name, namespace }, { status }, part).catch(ifGone);
      return done;
    },
  });

/** Knows its shelves from the watch alone, and not those that it made itself just now. */
export function staleController(): Controller {
  const shelves = new Map<string, string>();
  return controller({
    name: 'stale',
    for: Shop,
    watches: [
      {
        kind: ConfigMap,
        predicate: ({ type, object }) => {
          if (type === 'deleted') shelves.delete(object.metadata.name);
          else shelves.set(object.metadata.name, object.metadata.labels?.['shop'] ?? '');
          return true;
        },
        map: () => [],
      },
    ],
    access,
    async reconcile({ object, client }) {
      const { name } = object.metadata;
      const known = [...shelves.values()].filter((shop) => shop === name).length;
      for (let missing = (object.spec?.size ?? 1) - known; missing > 0; missing -= 1) {
        const metadata = { generateName: 'shelf-', namespace, labels: { shop: name } };
        await client.create(ConfigMap, { metadata });
      }
      return done;
    },
  });
}

/** What it made outlives the shop: nothing holds it until that is cleaned up. */
export const forgetfulController = (): Controller =>
  controller({
    name: 'forgetful',
    for: Shop,
    access,
    async reconcile({ object, client }) {
      const metadata = { name: object.metadata.name, namespace: 'kube-public' };
      await client.create(ConfigMap, { metadata }).catch(ifExists);
      return done;
    },
  });

/** Takes for granted that what it makes is not there yet. */
export const hastyController = (): Controller =>
  controller({
    name: 'hasty',
    for: Shop,
    access,
    async reconcile({ object, client, owned }) {
      const { name } = object.metadata;
      if (object.status?.state === 'open') return done;
      await client.create(ConfigMap, owned({ metadata: { name, namespace } }));
      await client.patch(Shop, { name, namespace }, { status: { state: 'open' } }, part);
      return done;
    },
  });

/** Counts in one write, and notes in another one that it has counted. */
export const countingController = (): Controller =>
  controller({
    name: 'counting',
    for: Shop,
    access,
    async reconcile({ object, client }) {
      const { name, generation = 0 } = object.metadata;
      if (object.status?.observedGeneration === generation) return done;
      const openings = (object.status?.openings ?? 0) + 1;
      await client.patch(Shop, { name, namespace }, { status: { openings } }, part);
      const status = { observedGeneration: generation };
      await client.patch(Shop, { name, namespace }, { status }, part);
      return done;
    },
  });

/** Says when it looked, which is a change each time, and leads to the next look. */
export const restlessController = (): Controller =>
  controller({
    name: 'restless',
    for: Shop,
    access,
    async reconcile({ object, client, clock }) {
      const { name } = object.metadata;
      const status = { state: `looked at ${clock.date().toISOString()}` };
      await client.patch(Shop, { name, namespace }, { status }, part).catch(ifGone);
      return done;
    },
  });
