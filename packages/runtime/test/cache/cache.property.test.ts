import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CacheHandlers } from '../../cache/cached.ts';
import { keyOf } from '../../kinds/kind.ts';
import { gone, type Shop } from '../watch/simulated-server.ts';
import { CachedShops, nameAndSize } from './cached-shops.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const names = [{ name: 'a' }, { name: 'b' }, { name: 'a', namespace: 'x' }] as const;
const name = fc.constantFrom(...names);
const bySize = (shop: Shop): string[] => [String(shop.spec.size % 3)];

type Step = (world: World) => unknown;

/** A cache, and what its program has written. */
class World {
  readonly given = new CachedShops({ indexes: [bySize] });
  readonly notified = new Map<string, Shop>();
  /** The answers to writes that have not arrived yet. */
  readonly answers: (() => void)[] = [];
  /** The version of each object that reads must have reached. */
  readonly least = new Map<string, number>();

  readonly handlers: CacheHandlers<Shop> = {
    added: (shop) => {
      expect(this.notified.has(keyOf(shop.metadata))).toBe(false);
      this.notified.set(keyOf(shop.metadata), shop);
      this.look();
    },
    changed: (before, now) => {
      expect(this.notified.get(keyOf(now.metadata))).toBe(before);
      this.notified.set(keyOf(now.metadata), now);
      this.look();
    },
    deleted: (last) => {
      expect(this.notified.get(keyOf(last.metadata))).toBe(last);
      this.notified.delete(keyOf(last.metadata));
      this.look();
    },
  };

  /** Checks that reads show each object in a state no older than what was read or written before. */
  look(): void {
    const { cache, errors } = this.given;
    for (const name of names) {
      const shop = cache.get(name);
      const version = Number(shop?.metadata.resourceVersion ?? Infinity);
      expect(version).toBeGreaterThanOrEqual(this.least.get(keyOf(name)) ?? 0);
      if (shop) this.least.set(keyOf(name), version);
    }
    const all = names.flatMap((name) => cache.get(name) ?? []).map(nameAndSize);
    expect(this.given.seen).toEqual(all.toSorted());
    for (const is of ['0', '1', '2']) {
      const found = cache.list({ index: { by: bySize, is } }).map(nameAndSize);
      expect(found.toSorted()).toEqual(
        all.filter((one) => Number(one.at(-1)) % 3 === +is).toSorted(),
      );
    }
    expect(cache.list({ namespace: 'x' }).map(nameAndSize)).toEqual(
      all.filter((one) => one[1] === '/'),
    );
    expect(errors).toEqual([]);
  }
}

const step = fc.oneof(
  fc.tuple(name, fc.nat(8)).map<Step>(
    ([name, size]) =>
      ({ given }) =>
        given.server.put(name, size),
  ),
  name.map<Step>(
    (name) =>
      ({ given }) =>
        given.server.delete(name),
  ),
  fc.tuple(name, fc.nat(8)).map<Step>(([name, size]) => ({ given, answers, least }) => {
    const shop = given.server.put(name, size);
    answers.push(() => {
      given.cache.written(shop);
      const seen = given.cache.get(name);
      // The watch may have been faster, and may already have reported the deletion.
      if (seen) least.set(keyOf(name), Number(shop.metadata.resourceVersion));
    });
  }),
  name.map<Step>((name) => ({ given, answers }) => {
    const uid = given.server.objects.get(keyOf(name))?.metadata.uid;
    given.server.delete(name);
    answers.push(() => {
      if (uid === undefined) return;
      given.cache.deleted(name, uid);
      expect(given.cache.get(name)?.metadata.uid).not.toBe(uid);
    });
  }),
  fc.nat(3).map<Step>(
    (which) =>
      ({ answers }) =>
        answers.splice(which, 1)[0]?.(),
  ),
  fc.constant<Step>(({ given }) => given.hold()),
  fc.constant<Step>(({ given }) => given.release()),
  fc.constantFrom(0, 5000).map<Step>(
    (ms) =>
      ({ given }) =>
        given.clock.advance(ms),
  ),
  fc.constantFrom(undefined, gone()).map<Step>(
    (error) =>
      ({ given }) =>
        given.server.cut(error),
  ),
  fc.boolean().map<Step>(
    (streams) =>
      ({ given }) =>
        (given.server.streams = streams),
  ),
);

test('reads never go back, see own writes and agree; handlers are notified of what the server did', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    const world = new World();
    const { given, notified } = world;
    given.cache.subscribe(world.handlers);
    given.server.put({ name: 'a' }, 1);
    await given.start();
    for (const step of steps) {
      await step(world);
      world.look();
      await given.clock.advance(0);
      world.look();
    }
    for (const answer of world.answers) answer();
    await given.release();
    await given.clock.advance(300_000);
    world.look();
    const served = [...given.server.objects.values()].map(nameAndSize).toSorted();
    expect(given.seen).toEqual(served);
    expect([...notified.values()].map(nameAndSize).toSorted()).toEqual(served);
    await given.stop();
  });
  await fc.assert(property, runs(500));
});
