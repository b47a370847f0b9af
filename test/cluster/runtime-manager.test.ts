import { expect } from '@jest/globals';
import { crdManifest } from '@tenantry/crd/definition';
import { define } from '@tenantry/crd/define';
import { allow } from '@tenantry/runtime/access/grant';
import { ApiClient } from '@tenantry/runtime/client/api-client';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { Transport } from '@tenantry/runtime/connection/transport';
import { controller } from '@tenantry/runtime/controller/controller';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import { metadataOf, kindOf } from '@tenantry/runtime/kinds/kind';
import { done } from '@tenantry/runtime/controller/context';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { ConfigMap } from '@tenantry/runtime/kinds/core';
import { jsonLog } from '@tenantry/runtime/log/log';
import { Manager } from '@tenantry/runtime/manager/manager';
import { integer, object } from '@tenantry/crd/schema/language';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { serve } from './crds.ts';

const given = await sharedCluster();
const { test } = given;

/** Returns a kind that no other test uses. */
function shopKind() {
  const name = uniqueName('shop').replace('-', '');
  return define({
    group: 'runtime-manager.example.com',
    kind: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    plural: `${name}s`,
    scope: 'Namespaced',
    versions: {
      v1: {
        schema: object('A shop.', {
          spec: object('What it should be.', { size: integer('How large.', { maximum: 9 }) }),
          status: object('What is the case.', { size: integer('How large.', { maximum: 9 }) }),
        }),
      },
    },
  });
}

/** Runs controllers as the administrator during an action. */
async function running(
  controllers: readonly Controller[],
  during: (client: ApiClient, lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const transport = new Transport(connectionOfUser(given.cluster.admin), { qps: Infinity });
  const client = new ApiClient(transport);
  const lines: string[] = [];
  const log = jsonLog({ clock: systemClock, write: (line) => lines.push(line) });
  const stop = new AbortController();
  const run = new Manager({ controllers, client, log }).run(stop.signal);
  try {
    await during(client, lines);
  } finally {
    stop.abort();
    await run.finally(() => transport.close());
  }
}

test('a controller waits for a kind that is not served yet, and cleans up before an object is deleted', async () => {
  const definition = shopKind();
  const Shop = kindOf(definition, 'v1');
  const namespace = await newNamespace(given.cluster, 'manager');
  const metadata = { namespace, name: 'bakery' };
  const steps: string[] = [];
  let tries = 0;
  const shops = controller({
    name: 'shops',
    for: Shop,
    finalizer: {
      name: 'example.com/shops',
      cleanUp: async () => {
        steps.push('clean-up');
        tries += 1;
        if (tries < 3) throw new Error('the door is locked');
        return done;
      },
    },
    reconcile: async ({ object }) => {
      steps.push(`reconcile ${object.metadata.finalizers?.join()}`);
      return done;
    },
  });
  await running([shops], async (client, lines) => {
    await until('the controller waits for the kind', () =>
      lines.some((line) => line.includes('absent')),
    );
    await serve(given.cluster.admin, crdManifest(definition));
    await client.create(Shop, { metadata });
    await until('the shop is reconciled', () => steps.length > 0);
    await client.delete(Shop, metadata);
    await until('the shop is gone', async () => {
      return (await client.get(Shop, metadata).catch(ifGone)) === undefined;
    });
  });
  expect(new Set(steps)).toEqual(new Set(['reconcile example.com/shops', 'clean-up']));
  expect(tries).toBe(3);
});

test('nothing is created twice although watch events arrive late, and a deleted object is created again', async () => {
  const definition = shopKind();
  const Shop = kindOf(definition, 'v1');
  await serve(given.cluster.admin, crdManifest(definition));
  const namespace = await newNamespace(given.cluster, 'manager');
  const names = Array.from({ length: 20 }, (_, n) => `shop-${n}`);
  const failures: unknown[] = [];
  let created = 0;
  const shops = controller({
    name: 'shops',
    for: Shop,
    selection: { namespace },
    concurrency: 4,
    owns: [metadataOf(ConfigMap)],
    access: [
      allow(ConfigMap, 'create').in(namespace),
      allow(Shop, 'patch').in(namespace),
      allow(Shop, 'patch').subresource('status').in(namespace),
    ],
    reconcile: async ({ object, client, cache, owned, children }) => {
      const { name } = object.metadata;
      try {
        if (!cache.get(metadataOf(ConfigMap), { namespace, name })) {
          await client.create(ConfigMap, owned({ metadata: { name } }));
          created += 1;
        }
        // Each write leads to another reconcile, which must see all writes before it.
        const size = Math.min((object.spec?.size ?? 0) + 1, 5);
        const { resourceVersion } = object.metadata;
        const patch = { metadata: { resourceVersion }, spec: { size } };
        if (size !== object.spec?.size) await client.patch(Shop, { namespace, name }, patch);
        const status = { size: children(metadataOf(ConfigMap)).length };
        if (status.size !== object.status?.size) {
          await client.patch(Shop, { namespace, name }, { status }, { subresource: 'status' });
        }
      } catch (error) {
        failures.push(error);
        throw error;
      }
      return done;
    },
  });
  await running([shops], async (client) => {
    for (const name of names) await client.create(Shop, { metadata: { namespace, name } });
    const areDone = async (): Promise<boolean> => {
      const { items } = await client.list(Shop, { namespace });
      return items.every(({ spec, status }) => spec?.size === 5 && status?.size === 1);
    };
    await until('all shops have their final size', areDone);
    expect([failures, created]).toEqual([[], 20]);
    await client.delete(ConfigMap, { namespace, name: 'shop-7' });
    await until('it comes back', () => created === 21);
    const made = await client.get(ConfigMap, { namespace, name: 'shop-7' });
    expect(made.metadata.ownerReferences).toMatchObject([
      { kind: definition.kind, name: 'shop-7', controller: true, blockOwnerDeletion: true },
    ]);
    expect(made.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['shops']);
  });
});
