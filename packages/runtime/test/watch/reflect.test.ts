import { expect, test } from '@jest/globals';
import type { Clock } from '../../clock/clock.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import type { Reader, WatchEvent } from '../../client/client.ts';
import { AccessDenied, Malformed, TooLarge, Unreachable } from '../../errors/client-errors.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ReflectorEvent } from '../../watch/options.ts';
import { reflect } from '../../watch/reflect.ts';
import { RecordingSink } from './recording-sink.ts';
import { ReflectedShops } from './reflected.ts';
import { gone, shops, type Shop } from './simulated-server.ts';

const a = { name: 'a' };
const b = { name: 'b' };

const started = async (prepare: (shops: ReflectedShops) => void = () => undefined) => {
  const given = new ReflectedShops();
  prepare(given);
  await given.start();
  return given;
};

for (const streams of [true, false]) {
  const how = streams ? 'by a stream' : 'by pages';

  test(`${how}: existing objects are reported, then their changes`, async () => {
    const { server, sink, ...given } = await pick((given) => {
      given.server.streams = streams;
      given.server.put(a, 1);
      given.server.put({ name: 'a', namespace: 'x' }, 2);
    });
    expect(given.changes()).toEqual(['put a=1', 'put x/a=2']);
    expect(sink.lists.slice(-2)).toEqual(['begun', server.version]);
    server.put(a, 3);
    server.delete(a);
    server.put(b, 4);
    await given.clock.advance(0);
    expect(given.changes().slice(2)).toEqual(['put a=3', 'drop a=3', 'put b=4']);
    expect(sink.position).toBe(server.version);
    await given.stop();
  });

  test(`${how}: an expired version leads to another list, and only the differences are reported`, async () => {
    const { server, ...given } = await pick(({ server }) => {
      server.streams = streams;
      server.put(a, 1);
      server.put(b, 1);
      server.put({ name: 'c' }, 1);
    });
    server.cut();
    server.put(a, 2);
    server.delete(b);
    server.delete({ name: 'c' });
    server.put({ name: 'c' }, 1);
    server.compact();
    await given.clock.advance(10_000);
    expect(given.causes()).toEqual(['unreachable', 'expired']);
    expect(given.changes().slice(3)).toEqual(['put a=2', 'drop c=1', 'put c=1', 'drop b=1']);
    await given.stop();
  });
}

/** Starts a reflection and returns it with functions in place of getters, so that it can be destructured. */
async function pick(prepare: (shops: ReflectedShops) => void) {
  const given = await started(prepare);
  const { server, sink, clock } = given;
  return {
    server,
    sink,
    clock,
    changes: () => given.changes,
    causes: () => given.causes,
    stop: () => given.stop(),
  };
}

test('a watch that breaks or ends is resumed where it was, without a list', async () => {
  const given = await started(({ server }) => server.put(a, 1));
  given.server.put(a, 2);
  await given.clock.advance(0);
  given.server.cut();
  given.server.put(a, 3);
  await given.clock.advance(500);
  given.server.put(a, 4);
  await given.clock.advance(2000);
  given.server.end();
  given.server.put(a, 5);
  await given.clock.advance(0);
  expect(given.changes).toEqual(['put a=1', 'put a=2', 'put a=3', 'put a=4', 'put a=5']);
  expect([given.lists, given.causes]).toEqual([1, ['unreachable']]);
  await given.stop();
});

test('an event that is repeated after a resumed watch is reported once', async () => {
  const given = await started();
  given.server.put(a, 1);
  given.server.delete(a);
  given.server.put(b, 2);
  await given.clock.advance(0);
  given.server.duplicates = 3;
  given.server.cut();
  await given.clock.advance(500);
  given.server.put(b, 3);
  await given.clock.advance(0);
  expect(given.changes).toEqual(['put a=1', 'drop a=1', 'put b=2', 'put b=3']);
  await given.stop();
});

test('a bookmark moves the version from which a watch is resumed', async () => {
  const given = await started(({ server }) => server.put(a, 1));
  given.server.writeElsewhere();
  given.server.bookmark();
  await given.clock.advance(0);
  given.server.compact();
  given.server.cut();
  await given.clock.advance(500);
  expect([given.lists, given.causes]).toEqual([1, ['unreachable']]);
  expect(given.server.calls.at(-1)).toMatchObject({ call: 'watch', resourceVersion: '102' });
  await given.stop();
});

test('a hanging watch is opened again, and if the new one hangs as well, all objects are listed', async () => {
  const given = await started(({ server }) => server.put(a, 1));
  await given.clock.advance(60_000);
  given.server.hangs = true;
  given.server.put(a, 2);
  given.server.hangs = false;
  await given.clock.advance(149_999);
  expect(given.causes).toEqual([]);
  await given.clock.advance(501);
  expect([given.causes, given.held, given.server.openWatches]).toEqual([
    ['quiet'],
    given.served,
    1,
  ]);
  given.server.hangs = true;
  await given.clock.advance(152_000);
  expect([given.causes, given.lists]).toEqual([['quiet', 'quiet'], 1]);
  await given.clock.advance(149_000);
  given.server.hangs = false;
  await given.clock.advance(3000);
  expect([given.causes, given.lists]).toEqual([['quiet', 'quiet', 'quiet'], 2]);
  given.server.hangs = true;
  given.server.hangs = false;
  await given.clock.advance(152_000);
  expect([given.causes.length, given.lists]).toEqual([4, 2]);
  await given.stop();
});

test('a bookmark a minute keeps a watch open, however long nothing changes', async () => {
  const given = await started();
  await given.clock.advance(24 * 3_600_000);
  expect([given.causes, given.lists, given.server.openWatches]).toEqual([[], 1, 1]);
  await given.stop();
});

test('a server that cannot stream lists gets requests for pages, and no further ones for a stream', async () => {
  const given = await started(({ server }) => {
    server.streams = false;
    for (let count = 0; count < 1201; count += 1) server.put({ name: `shop-${count}` }, count);
  });
  expect([given.held, given.sink.lists]).toEqual([given.served, ['begun', 'begun', '1301']]);
  expect(given.happenings.map(({ type }) => type)).toEqual(['paging', 'listed']);
  given.server.compact();
  given.server.put(a, 1);
  given.server.compact();
  given.server.cut(gone());
  await given.clock.advance(500);
  expect(given.held).toEqual(given.served);
  expect(given.server.calls.filter((call) => 'sendInitialEvents' in call)).toHaveLength(1);
  expect(given.server.calls.filter(({ call }) => call === 'list')).toHaveLength(6);
  await given.stop();
});

test('a server that never ends the initial events gets requests for pages', async () => {
  const clock = new VirtualClock();
  const { server, ...given } = new ReflectedShops();
  const reader: Reader = {
    list: (kind, options) => server.list(kind, options),
    async *watch(kind, options = {}) {
      if (options.sendInitialEvents) await new Promise(() => undefined);
      yield* server.watch(kind, options);
    },
  };
  server.put(a, 1);
  const stop = new AbortController();
  const options = { signal: stop.signal, clock, random: Math.random };
  const done = reflect(reader, { kind: shops }, given.sink, options);
  await clock.advance(29_999);
  expect(given.sink.objects.size).toBe(0);
  await clock.advance(1);
  expect(given.sink.objects.size).toBe(1);
  stop.abort();
  await done;
});

test('after ten minutes of lists in pages, a stream that hung is requested again', async () => {
  const { server, clock, sink, happenings } = new ReflectedShops();
  let isSilent = true;
  const reader: Reader = {
    list: (kind, options) => server.list(kind, options),
    async *watch(kind, options = {}) {
      if (isSilent && options.sendInitialEvents) await new Promise(() => undefined);
      yield* server.watch(kind, options);
    },
  };
  const stop = new AbortController();
  const observe = (one: ReflectorEvent): unknown => happenings.push(one);
  const options = { signal: stop.signal, clock, random: () => 0, observe };
  const done = reflect(reader, { kind: shops }, sink, options);
  await clock.advance(30_000);
  isSilent = false;
  const relist = async (): Promise<void> => {
    server.put(a, clock.now());
    server.compact();
    server.cut(gone());
    await clock.advance(1000);
  };
  for (const minutes of [1, 8, 1]) {
    await clock.advance(minutes * 60_000);
    await relist();
  }
  const lists = happenings.flatMap((one) => (one.type === 'listed' ? [one.by] : []));
  expect(lists).toEqual(['pages', 'pages', 'pages', 'stream']);
  stop.abort();
  await done;
});

test('a stream that ends before its initial events are complete drops no objects', async () => {
  const { server, clock, sink, ...given } = new ReflectedShops();
  const reader: Reader = {
    list: (kind, options) => server.list(kind, options),
    async *watch(kind, options = {}) {
      if (options.sendInitialEvents) return await clock.sleep(5000);
      yield* server.watch(kind, options);
    },
  };
  server.put(a, 1);
  sink.put('b', server.put(b, 1));
  const stop = new AbortController();
  const observe = (one: ReflectorEvent): unknown => given.happenings.push(one);
  const options = { signal: stop.signal, clock, random: Math.random, observe };
  const done = reflect(reader, { kind: shops }, sink, options);
  await clock.advance(5000);
  expect(given.happenings.map(({ type }) => type)).toEqual(['paging', 'listed']);
  expect(sink.changes.map(({ type, key }) => `${type} ${key}`)).toEqual(['put b', 'put a']);
  stop.abort();
  await done;
});

test('states with versions that are not numbers are reported once each as well', async () => {
  const { clock, sink } = new ReflectedShops();
  const state = (uid: string, resourceVersion: string): Shop => ({
    apiVersion: 'example.com/v1',
    kind: 'Shop',
    metadata: { name: 'a', uid, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { size: 1 },
  });
  const events: WatchEvent<typeof shops>[] = [
    { type: 'ADDED', object: state('1', 'x') },
    { type: 'BOOKMARK', resourceVersion: 'y', isInitialEventsEnd: true },
    { type: 'MODIFIED', object: state('1', 'x') },
    { type: 'MODIFIED', object: state('1', 'w') },
    { type: 'MODIFIED', object: state('1', 'w') },
    { type: 'DELETED', object: state('1', 'v') },
    { type: 'ADDED', object: state('2', 'u') },
    { type: 'DELETED', object: state('1', 'v') },
    { type: 'BOOKMARK', resourceVersion: 'a', isInitialEventsEnd: false },
  ];
  const stop = new AbortController();
  const reader: Reader = {
    list: () => Promise.reject(new Error('must not be asked')),
    async *watch() {
      yield* events as unknown as AsyncIterable<never>;
      stop.abort();
    },
  };
  const options = { signal: stop.signal, clock, random: Math.random };
  await reflect(reader, { kind: shops }, sink, options);
  expect(
    sink.changes.map(({ type, object: { metadata } }) => [type, metadata.resourceVersion]),
  ).toEqual([
    ['put', 'x'],
    ['put', 'w'],
    ['drop', 'w'],
    ['put', 'u'],
  ]);
  expect(sink.position).toBe('a');
});

test('a long list yields to other work, and so does dropping its missing objects', async () => {
  for (const streams of [true, false]) {
    const { server, sink } = new ReflectedShops();
    let worked = 0;
    const clock = new VirtualClock();
    const busy = { ...clockOf(clock), now: () => clock.now() + (worked += 1) };
    const stop = new AbortController();
    const seen: number[] = [];
    sink.onChange = () => {
      if (sink.changes.length % 200 === 1) clock.after(0, () => seen.push(sink.changes.length));
    };
    server.streams = streams;
    for (let count = 0; count < 400; count += 1) server.put({ name: `shop-${count}` }, count);
    for (let count = 0; count < 400; count += 1) {
      const name = `gone-${count}`;
      sink.objects.set(name, { ...server.put({ name }, count) });
      server.delete({ name });
    }
    const options = { signal: stop.signal, clock: busy, random: Math.random, idleTimeout: 1e9 };
    const done = reflect(server, { kind: shops }, sink, options);
    await clock.advance(0);
    expect(sink.changes).toHaveLength(800);
    expect(seen.map((one) => Math.floor(one / 200))).toEqual([0, 1, 2, 3]);
    stop.abort();
    await done;
  }
});

const clockOf = (clock: VirtualClock): Clock => ({
  now: () => clock.now(),
  date: () => clock.date(),
  sleep: clock.sleep,
  after: (milliseconds, run) => clock.after(milliseconds, run),
});

test('a page that is too large to read is requested in smaller pages from then on', async () => {
  const given = await started(({ server }) => {
    server.streams = false;
    for (let count = 0; count < 600; count += 1) server.put({ name: `shop-${count}` }, count);
    const tooLarge = new TooLarge(2 ** 28);
    server.failures.push(undefined, tooLarge, tooLarge, undefined, gone());
  });
  await given.clock.advance(5000);
  const limits = given.server.calls.flatMap((call) => ('limit' in call ? [call.limit] : []));
  expect(limits.slice(0, 5)).toEqual([500, 62, 7, 7, 7]);
  expect(new Set(limits.slice(2))).toEqual(new Set([7]));
  expect(given.held).toEqual(given.served);
  await given.stop();
});

test('a list that expires between its pages is requested in larger pages', async () => {
  const given = await started(({ server }) => {
    server.streams = false;
    for (let count = 0; count < 600; count += 1) server.put({ name: `shop-${count}` }, count);
    server.failures.push(undefined, undefined, gone());
  });
  await given.clock.advance(500);
  const lists = given.server.calls.filter(({ call }) => call === 'list');
  expect(lists.map((call) => 'limit' in call && call.limit)).toEqual([500, 500, 2000]);
  expect(given.held).toEqual(given.served);
  await given.stop();
});

test('a list that breaks off drops no objects', async () => {
  const given = await started(({ server }) => {
    server.streams = false;
    for (let count = 0; count < 600; count += 1) server.put({ name: `shop-${count}` }, count);
  });
  given.server.compact();
  given.server.put(a, 1);
  given.server.compact();
  given.server.failures.push(gone(), undefined, new Unreachable('reset'));
  given.server.cut();
  await given.clock.advance(1500);
  expect(given.causes).toEqual(['unreachable', 'expired', 'unreachable']);
  expect(given.changes.filter((one) => one.startsWith('drop'))).toEqual([]);
  await given.clock.advance(60_000);
  expect(given.held).toEqual(given.served);
  await given.stop();
});

test('delays grow to half a minute, each reduced by up to a half, and start again after a success', async () => {
  const given = new ReflectedShops();
  const down = new Unreachable('refused');
  const forbidden = new ApiError({ code: 403 });
  given.server.failures.push(...Array.from({ length: 9 }, () => forbidden));
  await given.start();
  await given.clock.advance(200_000);
  expect(given.happenings.flatMap((one) => (one.type === 'failed' ? [one.retryIn] : []))).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
  given.server.cut();
  await given.clock.advance(0);
  expect(given.happenings.at(-1)).toMatchObject({ type: 'failed', retryIn: 500, attempt: 1 });
  await given.stop();
  const jittered = new ReflectedShops();
  jittered.server.failures.push(down, down);
  await jittered.start({ random: () => 0.5 });
  await jittered.clock.advance(2000);
  expect(
    jittered.happenings.flatMap((one) => (one.type === 'failed' ? [one.retryIn] : [])),
  ).toEqual([375, 750]);
  await jittered.stop();
});

test('a server gets no request before its Retry-After', async () => {
  const given = await started(({ server }) => {
    server.failures.push(new ApiError({ code: 429 }, { retryAfter: 7000 }));
  });
  await given.clock.advance(6999);
  expect(given.server.calls).toHaveLength(1);
  await given.clock.advance(1);
  expect(given.server.calls).toHaveLength(2);
  await given.stop();
});

test('a kind that is not served is waited for', async () => {
  const given = await started(({ server }) => (server.isServed = false));
  await given.clock.advance(300_000);
  expect([new Set(given.causes), given.isRunning]).toEqual([new Set(['absent']), true]);
  given.server.isServed = true;
  given.server.put(a, 1);
  await given.clock.advance(30_000);
  expect(given.held).toEqual(given.served);
  await given.stop();
});

test('a kind that is no longer served drops no objects until a list does not have them', async () => {
  const given = await started(({ server }) => server.put(a, 1));
  given.server.isServed = false;
  given.server.end();
  await given.clock.advance(300_000);
  expect(given.changes).toEqual(['put a=1']);
  given.server.isServed = true;
  given.server.put(b, 1);
  await given.clock.advance(30_000);
  expect(given.changes).toEqual(['put a=1', 'put b=1']);
  await given.stop();
});

test('a server that was restored from a backup is listed again, even if its watches report nothing', async () => {
  const given = await started(({ server }) => server.put(a, 1));
  const restore = given.server.backup();
  for (let count = 0; count < 50; count += 1) given.server.writeElsewhere();
  given.server.put(b, 1);
  await given.clock.advance(0);
  restore();
  given.server.put(a, 2);
  await given.clock.advance(400_000);
  const causes = ['unreachable', 'quiet', 'quiet', 'went back', 'went back', 'went back'];
  expect([given.causes, given.held]).toEqual([causes, given.served]);
  expect(given.changes.slice(2)).toEqual(['put a=2', 'drop b=1']);
  await given.stop();
});

test('a server that was restored from a backup, and sends older versions, is listed again', async () => {
  const given = await started(({ server }) => server.put(a, 1));
  given.server.canSendOlder = true;
  const restore = given.server.backup();
  given.server.put(a, 2);
  given.server.put(b, 1);
  await given.clock.advance(0);
  restore();
  await given.clock.advance(82_000);
  const causes = ['unreachable', ...Array.from({ length: 4 }, () => 'went back')];
  expect([given.causes, given.held]).toEqual([causes, given.served]);
  expect(given.changes.slice(3)).toEqual(['put a=1', 'drop b=1']);
  await given.stop();
});

for (const streams of [true, false]) {
  const how = streams ? 'by a stream' : 'by pages';

  test(`${how}: a list of a past version is repeated, and nothing is reported twice`, async () => {
    const given = await started(({ server }) => {
      server.streams = streams;
      server.put(a, 1);
      server.put(b, 1);
    });
    const { server, clock } = given;
    const { version } = server;
    server.put(a, 2);
    server.delete(b);
    await clock.advance(0);
    server.past.push(version, version, version);
    const count = given.changes.length;
    server.cut(gone());
    server.put(a, 3);
    await clock.advance(10_000);
    const causes = ['expired', 'went back', 'went back', 'went back'];
    expect(given.causes).toEqual(causes);
    expect(given.changes.slice(count)).toEqual(['put a=3']);
    // Once a past version has been accepted, the next one is doubted again.
    server.past.push(version);
    server.cut(gone());
    await clock.advance(10_000);
    expect(given.causes.slice(4)).toEqual(['expired', 'went back']);
    expect(given.held).toEqual(given.served);
    await given.stop();
  });
}

/** A stream of events at these versions, about objects at others. */
type ScriptedEvent = readonly [
  'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK',
  string,
  { name: string }?,
];

/** Reflects watches that send these events, one watch after the other. The second to last watch expires. */
async function reflectedOf(...watches: readonly (readonly ScriptedEvent[])[]) {
  const clock = new VirtualClock();
  const sink = new RecordingSink<typeof shops>();
  const happenings: ReflectorEvent[] = [];
  const stop = new AbortController();
  const rest = watches.values();
  const reader = {
    async *watch(): AsyncGenerator<WatchEvent<typeof shops>, void, undefined> {
      const { value, done } = rest.next();
      if (done) return stop.abort();
      for (const [type, resourceVersion, name = a] of value) {
        if (type === 'BOOKMARK') yield { type, resourceVersion, isInitialEventsEnd: true };
        else {
          const metadata = { ...name, uid: `uid-${name.name}`, resourceVersion };
          yield { type, object: { metadata, spec: { size: 1 } } as unknown as Shop };
        }
      }
      throw gone();
    },
  } as unknown as Reader;
  const { signal } = stop;
  const observe = (happening: ReflectorEvent): number => happenings.push(happening);
  const run = reflect(reader, { kind: shops }, sink, { signal, clock, random: () => 0, observe });
  await clock.advance(60_000);
  await run;
  return {
    changes: sink.changes.map(
      ({ type, key, object }) => `${type} ${key}@${object.metadata.resourceVersion}`,
    ),
    counts: happenings.flatMap((one) => (one.type === 'listed' ? [one.objects] : [])),
  };
}

test('an object that changes or is deleted while a stream sends past versions is reported in its latest state', async () => {
  const { changes, counts } = await reflectedOf(
    [
      ['ADDED', '10'],
      ['ADDED', '11', b],
      ['BOOKMARK', '12'],
    ],
    [
      ['ADDED', '8'],
      ['MODIFIED', '13'],
      ['ADDED', '9', b],
      ['DELETED', '14', b],
      ['BOOKMARK', '15'],
    ],
  );
  expect(changes).toEqual(['put a@10', 'put b@11', 'put a@13', 'drop b@11']);
  expect(counts).toEqual([2, 1]);
});

test('with versions that are not numbers, no list counts as past', async () => {
  const { changes, counts } = await reflectedOf(
    [
      ['ADDED', 'y'],
      ['BOOKMARK', 'z'],
    ],
    [
      ['ADDED', 'b'],
      ['BOOKMARK', 'c'],
    ],
  );
  expect(changes).toEqual(['put a@y', 'put a@b']);
  expect(counts).toEqual([1, 1]);
});

for (const streams of [true, false]) {
  const how = streams ? 'by a stream' : 'by pages';

  test(`${how}: a restored backup that has moved past the last reported version is reported completely`, async () => {
    const given = await started(({ server }) => {
      server.streams = streams;
      server.put(a, 1);
      server.put(b, 1);
    });
    const { server, clock } = given;
    const restore = server.backup();
    for (const size of [2, 3, 4, 5]) server.put(a, size);
    server.delete(b);
    await clock.advance(0);
    restore();
    server.put(a, 6);
    server.put({ name: 'c' }, 1);
    for (let count = 0; count < 50; count += 1) server.writeElsewhere();
    await clock.advance(1000);
    server.cut(gone());
    await clock.advance(10_000);
    expect([given.causes.includes('went back'), given.held]).toEqual([false, given.served]);
    await given.stop();
  });
}

test('in a stream of all objects, states older than a previous one are not reported', async () => {
  const { clock, server, sink } = new ReflectedShops();
  const [old, next] = [server.put(a, 1), server.put(a, 2)];
  server.delete(a);
  const last = server.put(b, 1);
  const bookmark = (isInitialEventsEnd: boolean): WatchEvent<typeof shops> => ({
    type: 'BOOKMARK',
    resourceVersion: last.metadata.resourceVersion,
    isInitialEventsEnd,
  });
  const stop = new AbortController();
  const reader = {
    ...server,
    async *watch(): AsyncGenerator<WatchEvent<typeof shops>, void, undefined> {
      yield { type: 'ADDED', object: last };
      yield { type: 'ADDED', object: next };
      yield { type: 'MODIFIED', object: old };
      yield { type: 'DELETED', object: server.history[2]!.object };
      yield { type: 'MODIFIED', object: next };
      yield bookmark(true);
      stop.abort();
    },
  } as unknown as Reader;
  await reflect(reader, { kind: shops }, sink, { signal: stop.signal, clock, random: () => 0 });
  expect(sink.changes.map(({ type, key, object }) => `${type} ${key}=${object.spec.size}`)).toEqual(
    ['put b=1', 'put a=2', 'drop a=2'],
  );
  expect([...sink.objects.keys()]).toEqual(['b']);
});

test('after two malformed answers in a row, all objects are listed', async () => {
  const given = await started(({ server }) => server.put(a, 1));
  const broken = new Malformed('an event of a watch', { text: '{"type":' });
  given.server.failures.push(broken);
  given.server.cut(broken);
  await given.clock.advance(2000);
  expect([given.causes, given.lists]).toEqual([['malformed', 'malformed'], 2]);
  expect(given.happenings.filter((one) => one.type === 'failed').map((one) => one.relists)).toEqual(
    [false, true],
  );
  await given.stop();
});

test('a version that the server refuses twice in a row is dropped', async () => {
  const tooLarge = { causes: [{ reason: 'ResourceVersionTooLarge' }] };
  for (const refusal of [{ code: 400 }, { code: 422 }, { code: 504, details: tooLarge }]) {
    const given = await started(({ server }) => server.put(a, 1));
    given.server.failures.push(new ApiError(refusal));
    given.server.cut(new ApiError(refusal));
    await given.clock.advance(10_000);
    expect([given.causes, given.lists]).toEqual([['refused', 'refused'], 2]);
    await given.stop();
  }
});

test('an outage causes no list', async () => {
  const given = await started(({ server }) => server.put(a, 1));
  const refusals = [500, 503, 429, 403, 401].map((code) => new ApiError({ code }));
  given.server.failures.push(...refusals, ...refusals, new Unreachable('refused'));
  given.server.cut();
  given.server.put(a, 2);
  await given.clock.advance(300_000);
  expect([given.causes.length, given.lists, given.held]).toEqual([12, 1, given.served]);
  await given.stop();
});

test('a watch that ends at once without an event has failed', async () => {
  const given = await started();
  given.server.end();
  await given.clock.advance(100);
  expect(given.causes).toEqual(['short']);
  for (const milliseconds of [400, 1000, 2000]) {
    await given.clock.advance(milliseconds);
    given.server.end();
  }
  await given.clock.advance(0);
  expect([given.causes, given.lists]).toEqual([['short', 'short', 'short', 'short'], 1]);
  await given.stop();
});

test('a watch that sent an event, or lasted, has not failed when it ends', async () => {
  const given = await started(({ server }) => server.put(a, 1));
  given.server.put(a, 2);
  given.server.end();
  await given.clock.advance(5000);
  given.server.end();
  await given.clock.advance(5000);
  expect([given.causes, given.server.openWatches]).toEqual([[], 1]);
  await given.stop();
});

test('a first page that is refused as expired does not enlarge the pages', async () => {
  const given = await started(({ server }) => {
    server.streams = false;
    server.put(a, 1);
    server.failures.push(undefined, gone());
  });
  await given.clock.advance(5000);
  const lists = given.server.calls.filter(({ call }) => call === 'list');
  expect(lists.map((call) => 'limit' in call && call.limit)).toEqual([500, 500]);
  await given.stop();
});

test('an error of the sink is reported, and its event is not repeated', async () => {
  const given = new ReflectedShops();
  given.sink.onChange = (key) => {
    if (key === 'a') throw new Error(`no ${key}`);
  };
  given.server.put(a, 1);
  given.server.put(b, 1);
  const errors: unknown[] = [];
  await given.start({ onError: (error) => errors.push(error) });
  given.server.put(a, 2);
  given.server.put(b, 2);
  await given.clock.advance(0);
  expect(given.changes).toEqual(['put a=1', 'put b=1', 'put a=2', 'put b=2']);
  expect(errors).toEqual([new Error('no a'), new Error('no a')]);
  await given.stop();
});

test('without a handler for errors of the sink, the reflection ends with the error', async () => {
  const given = new ReflectedShops();
  given.sink.onChange = () => {
    throw new ApiError({ code: 503, message: 'of the sink' });
  };
  given.server.put(a, 1);
  await given.start();
  expect(given.failure).toEqual(new ApiError({ code: 503, message: 'of the sink' }));
  expect([given.isRunning, given.server.openWatches, given.clock.waiting]).toEqual([false, 0, 0]);
});

test('an error that a retry cannot fix ends the reflection', async () => {
  const given = new ReflectedShops();
  const missing = { group: 'example.com', resource: 'shops', verbs: ['watch' as const] };
  const denied = new AccessDenied('shopkeeper', missing, "allow(shops, 'watch')");
  given.server.failures.push(denied);
  await given.start();
  expect([given.failure, given.isRunning]).toEqual([denied, false]);
});

test('every list and watch has the selection', async () => {
  const given = new ReflectedShops();
  given.server.streams = false;
  const selection = { namespace: 'x', labelSelector: 'a=b', fieldSelector: 'metadata.name=c' };
  await given.start({ random: () => 0.5 }, { selection, metadataOnly: true });
  expect(given.server.calls).toEqual([
    expect.objectContaining({ call: 'watch', ...selection, metadataOnly: true }),
    expect.objectContaining({ call: 'list', ...selection, metadataOnly: true, limit: 500 }),
    expect.objectContaining({
      call: 'watch',
      ...selection,
      metadataOnly: true,
      resourceVersion: '100',
      timeoutSeconds: 450,
    }),
  ]);
  await given.stop();
});

test('after a stop at any moment nothing is opened, reported or left behind', async () => {
  for (let moment = 0; moment < 120; moment += 1) {
    const given = new ReflectedShops();
    const { server, clock } = given;
    server.streams = moment % 2 === 0;
    for (let count = 0; count < 3; count += 1) server.put({ name: `shop-${count}` }, count);
    if (moment % 5 === 0) server.failures.push(new Unreachable('reset'));
    void given.start({ pageSize: 1 });
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
    const stopped = given.stop();
    const before = [server.calls.length, given.changes.length];
    await stopped;
    server.put(a, 1);
    await clock.advance(600_000);
    expect([server.calls.length, given.changes.length]).toEqual(before);
    expect([given.failure, server.openWatches, clock.waiting]).toEqual([undefined, 0, 0]);
  }
});

test('a sink can stop the reflection, and gets no more changes', async () => {
  for (const streams of [true, false]) {
    const given = new ReflectedShops();
    given.server.streams = streams;
    for (const name of ['a', 'b', 'c']) given.server.put({ name }, 1);
    given.sink.onChange = (key) => void (key === 'a' && given.stop());
    await given.start({ pageSize: 1 });
    expect([given.changes, given.isRunning, given.server.openWatches]).toEqual([
      ['put a=1'],
      false,
      0,
    ]);
  }
});

test('a stop does not wait for a reader that ignores it', async () => {
  const clock = new VirtualClock();
  const never = (): Promise<never> => new Promise(() => undefined);
  const deaf: Reader = {
    list: never,
    watch: () => ({ [Symbol.asyncIterator]: () => ({ next: never, return: never }) }),
  };
  const stop = new AbortController();
  const options = { signal: stop.signal, clock, random: Math.random };
  const done = reflect(deaf, { kind: shops }, new RecordingSink(), options);
  await clock.advance(1000);
  stop.abort();
  await done;
  expect(clock.waiting).toBe(0);
});
