import { expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { done, type ObjectEvent } from '../../controller/context.ts';
import { PAUSED } from '../../controller/object-reconciler.ts';
import { eventAccess } from '../../events/events.ts';
import { Event } from '../../kinds/events.ts';
import type { Live } from '../../kinds/kind.ts';
import { Election, Managed } from '../manager/managed.ts';
import { refused, type ObservedCluster } from '../observed-cluster.ts';
import { Country, inMall, Running, Shop, town } from './running.ts';

/** Returns a controller that records the same events for every shop. */
const telling = (...events: readonly ObjectEvent[]) =>
  controller({
    name: 'shops',
    for: Shop,
    access: [...eventAccess],
    reconcile: async ({ event }) => {
      for (const one of events) event(one);
      return done;
    },
  });

const opened = { reason: 'Opened', note: 'opened the shop' };

async function running(declaration = telling(opened), cluster = town()): Promise<Running> {
  const shops = new Running(declaration, { cluster });
  cluster.put(Shop, { metadata: inMall('a') });
  return shops.start();
}

/** Returns all events of a cluster, in the order of their creation. */
function eventsOf({ api }: ObservedCluster): readonly Live<typeof Event>[] {
  return api.list(Event).items;
}

const lost = 'an event was lost; further losses of this cause are not logged';
const ofLosses = ({ lines }: Pick<Running, 'lines'>) => lines.filter(({ msg }) => msg === lost);

test('an event of a reconcile is about its object, and names the controller', async () => {
  const { cluster } = await running();
  const { uid, resourceVersion } = cluster.peek(Shop, inMall('a'))!.metadata;
  expect(eventsOf(cluster)).toMatchObject([
    {
      metadata: { namespace: 'mall', name: expect.stringMatching(/^a\./) },
      type: 'Normal',
      reason: 'Opened',
      action: 'Opened',
      note: 'opened the shop',
      reportingController: 'shops',
      reportingInstance: expect.stringMatching(/^shops-./),
      regarding: {
        apiVersion: 'example.com/v1',
        kind: 'Shop',
        ...inMall('a'),
        uid,
        resourceVersion,
      },
    },
  ]);
});

test('an event may be a warning, and may have an action, another object and a related object', async () => {
  const other = { apiVersion: 'v1', kind: 'Secret', metadata: { ...inMall('key'), data: 'x' } };
  const country = { apiVersion: 'v1', kind: 'Country', metadata: { name: 'nl' } };
  const warning = { ...opened, type: 'Warning', action: 'Open', fieldPath: 'spec.size' } as const;
  const { cluster } = await running(telling({ ...warning, related: other, regarding: country }));
  expect(eventsOf(cluster)).toMatchObject([
    {
      metadata: { namespace: 'default' },
      type: 'Warning',
      action: 'Open',
      regarding: { kind: 'Country', name: 'nl', fieldPath: 'spec.size' },
      related: { apiVersion: 'v1', kind: 'Secret', ...inMall('key') },
    },
  ]);
});

test('a controller without declared events cannot record any, neither for the compiler nor at run time', async () => {
  const shops = controller({
    name: 'shops',
    for: Shop,
    access: [allow(Event, 'create')],
    reconcile: async ({ event }) => {
      // @ts-expect-error: an event may become a series, which needs the right to patch events.
      event(opened);
      return done;
    },
  });
  const silent = controller({
    name: 'countries',
    for: Country,
    reconcile: async ({ event }) => {
      // @ts-expect-error: the access has no events.
      event(opened);
      // @ts-expect-error
      event({ ...opened, note: 'another one' });
      return done;
    },
  });
  expect(shops.access.map(({ resource }) => resource)).toEqual(['shops', 'events']);
  const cluster = town();
  cluster.put(Country, { metadata: { name: 'nl' } });
  const countries = await new Running(silent, { cluster }).start();
  await countries.pass();
  expect(cluster.calls).toEqual([]);
  expect(countries.messages).not.toContain('the reconcile failed');
  expect(ofLosses(countries)).toMatchObject([
    {
      level: 'warn',
      cause: 'refused',
      reason: 'Opened',
      note: 'opened the shop',
      object: { kind: 'Country', name: 'nl' },
      error: {
        message: `controller countries may not create events.events.k8s.io: its access must have allow(Event, 'create')`,
      },
    },
  ]);
});

test('events that the server refuses fail no reconcile, and each cause is logged once', async () => {
  const cluster = town();
  cluster.before = (call) => {
    if (call.startsWith('create events')) throw refused(403, 'Forbidden');
  };
  const invalid = { reason: '', note: 'no reason' };
  const another = { ...opened, note: 'again' };
  const shops = await running(
    telling(invalid, opened, another, { ...invalid, note: 'b' }),
    cluster,
  );
  expect(shops.messages).not.toContain('the reconcile failed');
  expect(ofLosses(shops).map(({ cause }) => cause)).toEqual(['invalid', 'refused']);
  cluster.put(Shop, { metadata: inMall('b') });
  await shops.pass();
  expect(ofLosses(shops)).toHaveLength(2);
});

test('a controller stops only after its events are written', async () => {
  const cluster = town();
  const answer = Promise.withResolvers<void>();
  cluster.before = (call) => (call.startsWith('create events') ? answer.promise : undefined);
  const shops = await running(telling(opened, { ...opened, note: 'and lit it' }), cluster);
  const stopped = shops.stop();
  await shops.pass(1000);
  expect(shops.messages).not.toContain('the controller has stopped');
  answer.resolve();
  await stopped;
  expect(eventsOf(cluster).map(({ note }) => note)).toEqual(['opened the shop', 'and lit it']);
  expect(shops.clock.waiting).toBe(0);
});

test('events that cannot be written delay a stop by at most five seconds', async () => {
  const cluster = town();
  const never = new Promise<void>(() => {});
  cluster.before = (call) => (call.startsWith('create events') ? never : undefined);
  const shops = await running(telling(opened, { ...opened, note: 'and lit it' }), cluster);
  shops.stopping.abort();
  await shops.pass(4999);
  expect(shops.messages).not.toContain('the controller has stopped');
  await shops.pass(1);
  expect(shops.messages).toContain('the controller has stopped');
  expect(ofLosses(shops)).toMatchObject([{ cause: 'stopped', note: 'and lit it' }]);
});

test('no event is written after the cut', async () => {
  const cluster = town();
  const never = new Promise<void>(() => {});
  cluster.before = (call) => (call.startsWith('create events') ? never : undefined);
  const shops = await running(telling(opened, { ...opened, note: 'and lit it' }), cluster);
  shops.stopping.abort();
  await shops.pass();
  shops.cutting.abort(new Error('too late'));
  await shops.pass();
  expect(shops.messages).toContain('the controller has stopped');
  expect(cluster.calls).toHaveLength(1);
  await shops.stop();
  expect(shops.clock.waiting).toBe(0);
});

test('a reconcile that ends after the cut waits for no event', async () => {
  const cluster = town();
  const never = new Promise<void>(() => {});
  cluster.before = (call) => (call.startsWith('create events') ? never : undefined);
  const end = Promise.withResolvers<void>();
  const slow = controller({
    name: 'shops',
    for: Shop,
    access: [...eventAccess],
    reconcile: async ({ event }) => {
      event(opened);
      await end.promise;
      event({ ...opened, note: 'too late' });
      return done;
    },
  });
  const shops = await running(slow, cluster);
  shops.stopping.abort();
  shops.cutting.abort(new Error('too late'));
  end.resolve();
  await shops.pass();
  expect(shops.messages).toContain('the controller has stopped');
  expect(cluster.calls).toHaveLength(1);
  expect(ofLosses(shops)).toMatchObject([{ cause: 'stopped', note: 'too late' }]);
});

test('a replica that is not certain to lead writes no event', async () => {
  const election = new Election([]);
  const managed = new Managed({ controllers: [telling(opened)], leaderElection: election });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  election.isSure = false;
  await managed.start();
  election.lead();
  await managed.pass();
  expect(managed.cluster.calls).toEqual([]);
  expect(ofLosses(managed)).toMatchObject([{ cause: 'refused', error: { name: 'NotLeading' } }]);
  await managed.stop();
});

test('pausing and resuming an object are events if events are declared', async () => {
  const { cluster, pass, stop } = await paused(telling());
  expect(eventsOf(cluster)).toMatchObject([
    {
      reason: 'Paused',
      action: 'Reconcile',
      note: `The controller shops leaves it alone, by ${PAUSED}.`,
    },
  ]);
  cluster.put(Shop, { metadata: { ...inMall('a'), annotations: { [PAUSED]: 'false' } } });
  await pass();
  expect(
    eventsOf(cluster)
      .map(({ reason, note }) => [reason, note])
      .slice(1),
  ).toEqual([['Resumed', 'The controller shops looks after it again.']]);
  await stop();
  const quiet = await paused(controller({ name: 'shops', for: Shop, reconcile: async () => done }));
  expect([quiet.cluster.calls, ofLosses(quiet)]).toEqual([[], []]);
});

async function paused(shops: ReturnType<typeof telling>) {
  const running = new Running(shops);
  const annotations = { [PAUSED]: 'true' };
  running.cluster.put(Shop, { metadata: { ...inMall('a'), annotations } });
  await running.start();
  const { cluster, lines } = running;
  return { cluster, lines, pass: () => running.pass(), stop: () => running.stop() };
}
