import { allow } from '@tenantry/runtime/access/grant';
import type { Client, Selection } from '@tenantry/runtime/client/client';
import { controller } from '@tenantry/runtime/controller/controller';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import type { Change } from '@tenantry/runtime/controller/predicate';
import { done } from '@tenantry/runtime/controller/context';
import { ifExists, ifGone } from '@tenantry/runtime/errors/reaction';
import { ConfigMap, Secret, ServiceAccount } from '@tenantry/runtime/kinds/core';
import type { Live, Written } from '@tenantry/runtime/kinds/kind';

/** A ConfigMap with a size; a shop needs a till, which is a Secret with the same size. */
export type Shop = Live<typeof ConfigMap>;
export type Till = Live<typeof Secret>;

export const finalizer = 'example.com/shop';
const checked = 'example.com/checked';

export interface ShopEvents {
  /** A reconcile that read this state has succeeded. */
  reconciled(shop: Shop): void;
  /** The clean-up of the shop has succeeded. */
  cleanedUp(shop: Shop): void;
  /** The handlers of a cache received a change. */
  notified(change: Change): void;
}

/** Returns the desired shop; a closed shop has no till. */
export function shopOf(namespace: string, name: string, size: number): Written<typeof ConfigMap> {
  const metadata = { namespace, name, labels: { role: 'shop' } };
  return { metadata, data: { size: String(size) } };
}

export const shopsIn = (namespace: string): Selection => ({
  namespace,
  labelSelector: 'role=shop',
});

const sizeIn = (till: Till): string =>
  Buffer.from(till.data?.['size'] ?? '', 'base64').toString('utf8');

const contentOf = (shop: Shop): Record<string, string> => ({
  size: Buffer.from(shop.data?.['size'] ?? '').toString('base64'),
});

/** Gives each shop a till of its size, and deletes the till with the shop. */
export function shopController(namespace: string, events: ShopEvents): Controller {
  return controller({
    name: 'shops',
    for: ConfigMap,
    selection: shopsIn(namespace),
    owns: [Secret],
    concurrency: 3,
    access: [allow(Secret, 'create', 'patch', 'delete').in(namespace)],
    finalizer: {
      name: finalizer,
      cleanUp: async ({ object, client }) => {
        const { name } = object.metadata;
        await client.delete(Secret, { namespace, name }).catch(ifGone);
        events.cleanedUp(object);
        return done;
      },
    },
    reconcile: async ({ object, client, cache, owned }) => {
      const { name } = object.metadata;
      const till = cache.get(Secret, { namespace, name });
      const isClosed = object.data?.['isClosed'] === 'true';
      const data = contentOf(object);
      if (isClosed) {
        if (till) await client.delete(Secret, { namespace, name }).catch(ifGone);
      } else if (!till) {
        await client.create(Secret, owned({ metadata: { name }, data })).catch(ifExists);
      } else if (sizeIn(till) !== object.data?.['size']) {
        await client.patch(Secret, { namespace, name }, { data }).catch(ifGone);
      }
      events.reconciled(object);
      return done;
    },
  });
}

/**
 * Records in each till the size that was checked last, as a different field manager from the one that created the till.
 */
export function tillController(namespace: string): Controller {
  return controller({
    name: 'tills',
    for: Secret,
    selection: { namespace },
    watches: [
      {
        kind: ConfigMap,
        selection: shopsIn(namespace),
        map: ({ metadata: { name } }) => [{ namespace, name }],
      },
    ],
    access: [allow(Secret, 'patch').in(namespace)],
    reconcile: async ({ object, client, cache }) => {
      const { name, annotations } = object.metadata;
      const size = cache.get(ConfigMap, { namespace, name })?.data?.['size'];
      if (size === undefined || annotations?.[checked] === size) return done;
      const patch = { metadata: { annotations: { [checked]: size } } };
      await client.patch(Secret, { namespace, name }, patch).catch(ifGone);
      return done;
    },
  });
}

/** Records the numbers of shops and tills on the namespace's service account. */
export function inventoryController(namespace: string, events: ShopEvents): Controller {
  const account = [{ namespace, name: 'default' }];
  const predicate = (change: Change): boolean => {
    events.notified(change);
    return change.type !== 'changed';
  };
  return controller({
    name: 'inventory',
    for: ServiceAccount,
    selection: { namespace },
    watches: [
      { kind: ConfigMap, selection: shopsIn(namespace), predicate, map: () => account },
      { kind: Secret, selection: { namespace }, predicate, map: () => account },
    ],
    access: [allow(ServiceAccount, 'patch').in(namespace)],
    reconcile: async ({ object, client, cache }) => {
      const count = inventoryOf(cache.list(ConfigMap).length, cache.list(Secret).length);
      if (object.metadata.annotations?.[inventory] === count) return done;
      const { name } = object.metadata;
      const patch = { metadata: { annotations: { [inventory]: count } } };
      await client.patch(ServiceAccount, { namespace, name }, patch);
      return done;
    },
  });
}

const inventory = 'example.com/inventory';
const inventoryOf = (shops: number, tills: number): string => `${shops} shops, ${tills} tills`;

/** The existing objects, as the server lists them. */
export interface Town {
  readonly shops: readonly Shop[];
  readonly tills: readonly Till[];
  readonly account: Live<typeof ServiceAccount>;
}

/** Lists the objects in a namespace. */
export async function townIn(client: Client, namespace: string): Promise<Town> {
  const [shops, tills, account] = await Promise.all([
    client.list(ConfigMap, shopsIn(namespace)),
    client.list(Secret, { namespace }),
    client.get(ServiceAccount, { namespace, name: 'default' }),
  ]);
  return { shops: shops.items, tills: tills.items, account };
}

/** Returns the objects that do not match the shops, one line each. */
export function unsettled({ shops, tills, account }: Town, isChecked: boolean): string[] {
  const problems: string[] = [];
  const byName = new Map(tills.map((till) => [till.metadata.name, till]));
  for (const { metadata, data } of shops) {
    const { name, uid, deletionTimestamp, finalizers = [] } = metadata;
    const till = byName.get(name);
    byName.delete(name);
    if (deletionTimestamp !== undefined) problems.push(`${name} waits for its clean-up`);
    else if (!finalizers.includes(finalizer)) problems.push(`${name} has no finalizer`);
    if (data?.['isClosed'] === 'true') {
      if (till) problems.push(`${name} is closed and has a till`);
      continue;
    }
    if (!till) problems.push(`${name} has no till`);
    else if (sizeIn(till) !== data?.['size']) problems.push(`the till of ${name} has another size`);
    else if (till.metadata.ownerReferences?.[0]?.uid !== uid) {
      problems.push(`the till of ${name} is owned by another`);
    } else if (isChecked && till.metadata.annotations?.[checked] !== data?.['size']) {
      problems.push(`the till of ${name} is not checked`);
    }
  }
  for (const name of byName.keys()) problems.push(`the till ${name} has no shop`);
  const recorded = account.metadata.annotations?.[inventory];
  const count = inventoryOf(shops.length, tills.length);
  if (recorded !== count) problems.push(`the inventory has ${recorded}, and there are ${count}`);
  return problems;
}
