import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allow } from '../../../runtime/access/grant.ts';
import { controller } from '../../../runtime/controller/controller.ts';
import { done } from '../../../runtime/controller/result.ts';
import { ifGone } from '../../../runtime/errors/expected.ts';
import { runs } from '../../kube/yaml/runs.ts';
import { MemoryCluster, refused } from './memorycluster.ts';
import { ConfigMap, inMall, Running, Shop } from './running.ts';

/** Each shop has a ConfigMap of its name and size, which goes before it does. */
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
    const place = inMall(object.metadata.name);
    const spec = { size: object.spec?.size ?? 0 };
    const found = cache.get(ConfigMap, place);
    if (!found) await client.create(ConfigMap, owned({ metadata: place, spec }));
    else if (JSON.stringify(found.spec) !== JSON.stringify(spec)) {
      await client.patch(ConfigMap, place, { spec });
    }
    return done;
  },
});

const name = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), name, size: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('steal' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), calls: fc.nat(3) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), time: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('silence' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tell' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('stop' as const, 'kill' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A controller that is stopped and started again on one cluster, whose calls fail now and then. */
class World {
  readonly cluster = new MemoryCluster();
  running = new Running(stocking, { cluster: this.cluster });
  failing = 0;

  constructor() {
    this.cluster.before = () => {
      this.failing -= 1;
      if (this.failing >= 0) throw refused(500, 'InternalError');
    };
  }

  async do(step: Step): Promise<void> {
    const { cluster } = this;
    if (step.do === 'put') {
      cluster.put(Shop, { metadata: inMall(step.name), spec: { size: step.size } });
    } else if (step.do === 'remove') {
      if (cluster.peek(Shop, inMall(step.name))) cluster.remove(Shop, inMall(step.name));
    } else if (step.do === 'steal') {
      if (cluster.peek(ConfigMap, inMall(step.name))) cluster.remove(ConfigMap, inMall(step.name));
    } else if (step.do === 'fail') {
      this.failing = step.calls;
    } else if (step.do === 'wait') {
      await this.running.pass(step.time);
    } else if (step.do === 'silence') {
      cluster.isSilent = true;
    } else if (step.do === 'tell') {
      cluster.isSilent = false;
      cluster.tell();
    } else {
      if (step.do === 'kill') this.running.cutting.abort(new Error('killed'));
      await this.running.stop();
      this.running = await new Running(stocking, { cluster }).start();
    }
  }
}

test('whatever happens, fails and is told late, in the end there is what was declared, and no more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const world = new World();
      await world.running.start();
      for (const step of steps) await world.do(step);
      world.failing = 0;
      await world.do({ do: 'tell' });
      await world.running.pass(10_000_000);
      const { cluster, running } = world;
      for (const name of ['a', 'b', 'c']) {
        const shop = cluster.peek(Shop, inMall(name));
        const stock = cluster.peek(ConfigMap, inMall(name));
        expect(shop?.metadata.deletionTimestamp).toBeUndefined();
        expect(stock?.spec).toEqual(shop && { size: shop.spec?.size ?? 0 });
      }
      await running.stop();
      expect(running.clock.waiting).toBe(0);
    }),
    runs(150),
  );
}, 60_000);
