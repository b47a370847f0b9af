import { define } from '@tenantry/crd/define';
import { allow } from '@tenantry/runtime/access/grant';
import { controller } from '@tenantry/runtime/controller/controller';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import { done } from '@tenantry/runtime/controller/context';
import { ifExists, ifGone } from '@tenantry/runtime/errors/reaction';
import { ConfigMap } from '@tenantry/runtime/kinds/core';
import { kindOf } from '@tenantry/runtime/kinds/kind';
import { integer, object, string } from '@tenantry/crd/schema/language';

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
          state: string('The reported state.'),
          openings: integer('How often it was opened again.'),
          observedGeneration: integer('The object of the report.'),
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

/** A correct controller: each shop owns shelves with fixed names and reports them in its state. */
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

/** Counts shelves from the watch alone, so it misses those that it has just created. */
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

/** Creates an object that outlives the shop, because there is no finalizer to clean it up. */
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

/** Assumes that the object it creates does not exist yet. */
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

/** Counts in one write, and records in another write that it has counted. */
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

/** Writes the time of each reconciliation to the status, which triggers the next one. */
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
