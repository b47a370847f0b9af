/**
 * The operator of the benchmark: every Shop has a ConfigMap of its name with its settings. It prints a
 * line when it has reconciled as many Shops as OBJECTS, and ends at SIGTERM.
 */
import { allow, controller, core, done, kindOf, Manager } from '@tenantry/runtime';
import { shop } from '../runtime/shop.ts';

const { OBJECTS, WORKERS } = process.env;

/** The names of reconciled Shops; undefined after the last of them. */
let seen: Set<string> | undefined = new Set();

function count(name: string): void {
  if (seen?.add(name).size !== Number(OBJECTS)) return;
  seen = undefined;
  console.log('all reconciled');
}

const shops = controller({
  name: 'shops',
  for: kindOf(shop, 'v1'),
  owns: [core.ConfigMap],
  access: [allow(core.ConfigMap, 'create', 'update')],
  concurrency: Number(WORKERS),
  async reconcile({ object, cache, client, owned }) {
    const { name, namespace } = object.metadata;
    const { owner, replicas } = object.spec;
    const data = { owner, replicas: String(replicas) };
    const found = cache.get(core.ConfigMap, { name, namespace });
    if (!found) {
      await client.create(core.ConfigMap, owned({ metadata: { name }, data }));
    } else if (found.data?.['owner'] !== owner || found.data['replicas'] !== data.replicas) {
      await client.update(core.ConfigMap, { ...found, data });
    }
    count(name);
    return done;
  },
});

void new Manager({ controllers: [shops] }).run();
