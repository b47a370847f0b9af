import { test } from '@jest/globals';
import { define } from '@tenantry/crd/define';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { done } from '../../controller/context.ts';
import { ifExists, ifGone } from '../../errors/reaction.ts';
import { ConfigMap } from '../../kinds/core.ts';
import { kindOf } from '../../kinds/kind.ts';
import { integer, object } from '@tenantry/crd/schema/language';
import { simulate } from '@tenantry/testing/simulation/simulate';
import { runs } from '@tenantry/kube/test/yaml/runs';

const shop = define({
  group: 'example.com',
  kind: 'Shop',
  plural: 'shops',
  scope: 'Namespaced',
  versions: {
    v1: {
      schema: object('A shop.', {
        spec: object('What it should be.', { size: integer('How large.', { default: 0 }) }),
      }),
    },
  },
});
const Shop = kindOf(shop, 'v1');

const names = ['a', 'b', 'c'];
const inMall = (name: string) => ({ name, namespace: 'default' });

/** Gives each shop a ConfigMap with its name and size, and deletes it before the shop. */
const stocking = controller({
  name: 'shops',
  for: Shop,
  owns: [ConfigMap],
  concurrency: 2,
  access: [allow(ConfigMap, 'create', 'patch', 'delete')],
  finalizer: {
    name: 'example.com/stock',
    cleanUp: async ({ object: { metadata }, client }) => {
      await client.delete(ConfigMap, inMall(metadata.name)).catch(ifGone);
      return done;
    },
  },
  reconcile: async ({ object, client, cache, owned }) => {
    const metadata = inMall(object.metadata.name);
    const data = { size: String(object.spec?.size ?? 0) };
    const found = cache.get(ConfigMap, metadata);
    if (!found) await client.create(ConfigMap, owned({ metadata, data })).catch(ifExists);
    else if (found.data?.['size'] !== data.size) {
      await client.patch(ConfigMap, metadata, { data }).catch(ifGone);
    }
    return done;
  },
});

test.each([1, 2])(
  'the cluster converges to exactly what is declared, despite changes, failures and late events (replicas: %d)',
  async (replicas) => {
    const { seed, numRuns } = runs(replicas === 1 ? 100 : 20);
    await simulate({
      definitions: [shop],
      controllers: () => [stocking],
      actions: {
        'a shop opens': ({ api, pick, whole }) => {
          api.create(Shop, { metadata: inMall(pick(names)), spec: { size: whole(0, 3) } });
        },
        'a shop changes': ({ api, pick, whole }) => {
          api.patch(Shop, inMall(pick(names)), { spec: { size: whole(0, 3) } });
        },
        'a shop closes': ({ api, pick }) => void api.delete(Shop, inMall(pick(names))),
        'somebody takes the stock': ({ api, pick }) => {
          api.delete(ConfigMap, inMall(pick(names)));
        },
      },
      always: {
        'a shop is deleted after its stock': ({ get }, { type, of }) => {
          const gone = type === 'deleted' ? of(Shop)?.before : undefined;
          if (!gone) return;
          const left = get(ConfigMap, inMall(gone.metadata.name));
          return left?.metadata.ownerReferences?.[0]?.uid !== gone.metadata.uid;
        },
        'nothing is created for a shop without its finalizer': ({ get }, { type, of }) => {
          const made = type === 'created' ? of(ConfigMap)?.after : undefined;
          const owner = made && get(Shop, inMall(made.metadata.name));
          if (!owner || owner.metadata.uid !== made.metadata.ownerReferences?.[0]?.uid) return;
          return owner.metadata.finalizers?.includes('example.com/stock') ?? false;
        },
      },
      eventually: {
        'each shop has its stock, and no other stock is left': ({ get }) =>
          names.every((name) => {
            const [found, stock] = [get(Shop, inMall(name)), get(ConfigMap, inMall(name))];
            return stock?.data?.['size'] === (found && String(found.spec?.size ?? 0));
          }),
      },
      replicas,
      schedules: numRuns,
      seed,
    });
  },
  1_800_000,
);
