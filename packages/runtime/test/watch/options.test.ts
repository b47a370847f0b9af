import { expect, test } from '@jest/globals';
import { CacheSet } from '../../cache/cache-set.ts';
import type { Reader } from '../../client/client.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Kind } from '../../kinds/kind.ts';
import { ListStreams } from '../../watch/options.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { shops, SimulatedServer } from './simulated-server.ts';

const kindIn = (group: string, kind: string): typeof shops => ({
  ...shops,
  group: group as typeof shops.group,
  kind: kind as typeof shops.kind,
  plural: `${kind.toLowerCase()}s`,
});

const own = ['Pod', 'Secret', 'Service'].map((kind) => kindIn('', kind));
const others = ['Shop', 'Mall'].map((kind) => kindIn('example.com', kind));

/** Creates caches over a server whose streams of each kind the test controls. */
function caching(streamOf: (kind: Kind, clock: VirtualClock) => Promise<boolean>) {
  const clock = new VirtualClock();
  const server = new SimulatedServer(clock);
  const asked: string[] = [];
  const paged: string[] = [];
  const reader: Reader = {
    list: (kind, options) => {
      paged.push(kind.kind);
      return server.list(kind, options);
    },
    async *watch(kind, options = {}) {
      if (options.sendInitialEvents) asked.push(kind.kind);
      if (options.sendInitialEvents && !(await streamOf(kind, clock))) {
        throw new ApiError({ code: 400, reason: 'BadRequest' });
      }
      yield* server.watch(kind, options);
    },
  };
  const caches = new CacheSet({ reader, clock, random: () => 0, onError: () => {} });
  const stop = new AbortController();
  return { clock, caches, asked, paged, stop };
}

type Given = ReturnType<typeof caching>;

/** Opens caches of these kinds, and lets them fill. */
async function filled({ caches, clock, stop }: Given, kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) caches.open({ kind });
  const run = caches.run(stop.signal);
  await clock.advance(0);
  await clock.advance(0);
  expect([...caches.sizes()]).toHaveLength(kinds.length);
  await caches.synced();
  stop.abort();
  await run;
  expect(clock.waiting).toBe(0);
}

test('a server that cannot stream lists gets one request for it, even if all caches start at once', async () => {
  const given = caching(async () => false);
  await filled(given, own);
  expect([given.asked, given.paged]).toEqual([['Pod'], ['Pod', 'Secret', 'Service']]);
});

test('a refusal for one group does not apply to others, which another server may serve', async () => {
  const given = caching(async ({ group }) => group === '');
  await filled(given, [...others, ...own]);
  expect([given.asked, given.paged]).toEqual([
    ['Shop', 'Pod', 'Secret', 'Service'],
    ['Shop', 'Mall'],
  ]);
});

test("the groups without a domain belong to Kubernetes' own server, whichever of them is refused", () => {
  const inGroup = (group: string) => kindIn(group, 'Shop');
  const streams = new ListStreams();
  streams.recordRefusal(inGroup('metrics.k8s.io'));
  expect(['', 'apps', 'example.com'].map((group) => streams.canStream(inGroup(group)))).toEqual([
    true,
    true,
    true,
  ]);
  streams.recordRefusal(inGroup('apps'));
  expect(['', 'batch', 'example.com'].map((group) => streams.canStream(inGroup(group)))).toEqual([
    false,
    false,
    false,
  ]);
});

test("after a refusal for Kubernetes' own groups, no other group is requested", async () => {
  const given = caching(async () => false);
  const { caches, clock, stop } = given;
  const run = caches.run(stop.signal);
  caches.open({ kind: own[0]! });
  await clock.advance(0);
  for (const kind of others) caches.open({ kind });
  await clock.advance(0);
  expect([given.asked, given.paged]).toEqual([['Pod'], ['Pod', 'Shop', 'Mall']]);
  stop.abort();
  await run;
});

test('no cache waits longer than a second for the answer to the first request', async () => {
  const given = caching(async ({ kind }, clock) => {
    if (kind === 'Pod') await clock.sleep(5000);
    return true;
  });
  const { caches, clock, stop, asked } = given;
  const [pods, secrets] = own.map((kind) => caches.open({ kind }).cache);
  const run = caches.run(stop.signal);
  await clock.advance(999);
  expect(asked).toEqual(['Pod']);
  await clock.advance(1);
  expect([asked, pods?.isSynced, secrets?.isSynced]).toEqual([
    ['Pod', 'Secret', 'Service'],
    false,
    true,
  ]);
  stop.abort();
  await run;
});

test('a cache that stops while others wait for its request does not block them', async () => {
  const never = new Promise<boolean>(() => {});
  const given = caching(({ kind }) => (kind === 'Pod' ? never : Promise.resolve(true)));
  const { caches, clock, stop } = given;
  const pods = caches.open({ kind: own[0]! });
  const secrets = caches.open({ kind: own[1]! });
  const run = caches.run(stop.signal);
  await clock.advance(0);
  await pods.release();
  await clock.advance(1000);
  expect(secrets.cache.isSynced).toBe(true);
  stop.abort();
  await run;
  expect(clock.waiting).toBe(0);
});
