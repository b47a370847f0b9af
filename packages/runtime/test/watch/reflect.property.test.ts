import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../errors/api-error.ts';
import { Malformed, Unreachable } from '../../errors/client-errors.ts';
import { compareVersions } from '../../watch/sink-writer.ts';
import { ReflectedShops } from './reflected.ts';
import { gone } from './simulated-server.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

/** A step on the server, or between the server and the client. */
type Step = (given: ReflectedShops) => unknown;

const name = fc.constantFrom('a', 'b', 'c', 'd').map((name) => ({ name }));

const write = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(name, fc.nat(9)).map(([name, size]) => put(name, size)) },
  { weight: 2, arbitrary: name.map((name) => remove(name)) },
);

const put =
  (name: { name: string }, size: number): Step =>
  ({ server }) =>
    server.put(name, size);
const remove =
  (name: { name: string }): Step =>
  ({ server }) =>
    server.delete(name);

const failure = fc.constantFrom<unknown>(
  new Unreachable('reset'),
  new Malformed('an event of a watch', { text: '{' }),
  new ApiError({ code: 500 }),
  new ApiError({ code: 429 }, { retryAfter: 3000 }),
  new ApiError({ code: 504, details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } }),
  gone(),
);

/** Faults that require no list. */
const mild = fc.oneof(
  fc.constant<Step>(({ server }) => server.cut()),
  fc.constant<Step>(({ server }) => server.end()),
  fc.constant<Step>(({ server }) => server.bookmark()),
  fc.constant<Step>(({ server }) => server.writeElsewhere()),
  fc.nat(4).map<Step>(
    (many) =>
      ({ server }) =>
        (server.duplicates = many),
  ),
  fc.constantFrom(0, 1, 500, 70_000, 700_000).map<Step>(
    (ms) =>
      ({ clock }) =>
        clock.advance(ms),
  ),
);

const harsh = fc.oneof(
  failure.map<Step>(
    (error) =>
      ({ server }) =>
        server.failures.push(error),
  ),
  failure.map<Step>(
    (error) =>
      ({ server }) =>
        server.cut(error),
  ),
  fc.constant<Step>(({ server }) => server.compact()),
  fc.boolean().map<Step>(
    (hangs) =>
      ({ server }) =>
        (server.hangs = hangs),
  ),
  fc.boolean().map<Step>(
    (isServed) =>
      ({ server }) =>
        (server.isServed = isServed),
  ),
);

async function play(steps: readonly Step[], streams: boolean): Promise<ReflectedShops> {
  const given = new ReflectedShops();
  const { server, clock } = given;
  server.streams = streams;
  server.put({ name: 'a' }, 0);
  server.put({ name: 'b' }, 0);
  await given.start({ pageSize: 2 });
  for (const step of steps) {
    await step(given);
    await clock.advance(0);
  }
  server.hangs = false;
  server.isServed = true;
  server.failures.length = 0;
  await clock.advance(1_000_000);
  return given;
}

const steps = (...kinds: fc.Arbitrary<Step>[]) => fc.array(fc.oneof(...kinds), { maxLength: 40 });

test('whatever fails, the sink ends with the objects on the server', async () => {
  const property = fc.asyncProperty(steps(write, mild, harsh), fc.boolean(), async (steps, how) => {
    const given = await play(steps, how);
    expect(given.held).toEqual(given.served);
    expect([given.server.openWatches, given.failure]).toEqual([1, undefined]);
    await given.stop();
    expect([given.server.openWatches, given.clock.waiting]).toEqual([0, 0]);
  });
  await fc.assert(property, runs(300));
});

test('no state is reported twice, none that never existed, and none older than a previous one', async () => {
  const property = fc.asyncProperty(steps(write, mild, harsh), fc.boolean(), async (steps, how) => {
    const given = await play(steps, how);
    const states = new Set(given.server.history.map(({ object }) => JSON.stringify(object)));
    const newest = new Map<string, string>();
    for (const { type, key, object } of given.sink.changes) {
      const { resourceVersion } = object.metadata;
      const before = newest.get(key) ?? '1';
      const order = compareVersions(resourceVersion, before) ?? 0;
      if (type === 'put')
        expect([states.has(JSON.stringify(object)), order > 0]).toEqual([true, true]);
      else expect(order).toBe(0);
      newest.set(key, resourceVersion);
    }
    await given.stop();
  });
  await fc.assert(property, runs(300));
});

test('where no list is needed, every change is reported in order', async () => {
  const property = fc.asyncProperty(steps(write, mild), fc.boolean(), async (steps, how) => {
    const given = await play(steps, how);
    const happened = given.server.history.map(({ type, object }) => {
      return `${type === 'DELETED' ? 'drop' : 'put'} ${object.metadata.name}=${object.spec.size}`;
    });
    expect([given.changes, given.lists]).toEqual([happened, 1]);
    await given.stop();
  });
  await fc.assert(property, runs(300));
});

test('versions are ordered as numbers', () => {
  const version = fc.oneof(fc.bigInt({ min: 1n }), fc.bigInt({ min: 1n, max: 200n }));
  const property = fc.property(version, version, (one, other) => {
    const order = compareVersions(String(one), String(other)) ?? NaN;
    expect(Math.sign(order)).toBe(one < other ? -1 : Number(one > other));
  });
  fc.assert(property, runs(100));
  expect(['0', '01', '', 'abc', '1.5', '-1'].map((other) => compareVersions('1', other))).toEqual(
    Array.from({ length: 6 }),
  );
  expect(compareVersions('abc', 'abc')).toBe(0);
});
