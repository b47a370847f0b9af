import { expect, test } from '@jest/globals';
import { controller } from '../../controller/controller.ts';
import { done } from '../../controller/context.ts';
import { Unreachable } from '../../errors/client-errors.ts';
import { refused } from '../observed-cluster.ts';
import { ConfigMap, inMall, Running, Shop, shops, town } from './running.ts';

/** Returns a controller that records whether ConfigMaps could be read. */
const noting = (seen: string[], reconcileOutagesAfter?: number) =>
  controller({
    ...shops,
    watches: [{ kind: ConfigMap, map: () => [] }],
    reconcileOutagesAfter,
    reconcile: async ({ object, cache }) => {
      seen.push(`${object.metadata.name} ${cache.outageOf(ConfigMap)?.cause ?? 'read'}`);
      return done;
    },
  });

/** Fails watches of ConfigMaps once the current watch ends, until the returned function is called. */
function loseConfigMaps({ cluster }: Running, error: Error): () => void {
  cluster.beforeRead = (resource) => {
    if (resource === 'configmaps') throw error;
  };
  return () => void (cluster.beforeRead = () => undefined);
}

async function running(seen: string[], after?: number): Promise<Running> {
  const cluster = town();
  for (const name of ['a', 'b']) cluster.put(Shop, { metadata: inMall(name) });
  return new Running(noting(seen, after), { cluster }).start();
}

test('all objects are reconciled once when a kind cannot be watched for long, and once when it can again', async () => {
  const seen: string[] = [];
  await using run = await running(seen, 60_000);
  seen.length = 0;
  const giveBack = loseConfigMaps(run, refused(403, 'Forbidden'));
  await run.pass(1_200_000);
  expect(seen.toSorted()).toEqual(['a refused', 'b refused']);
  giveBack();
  await run.pass(120_000);
  expect(seen.toSorted()).toEqual(['a read', 'a refused', 'b read', 'b refused']);
});

test('a short outage triggers no reconcile', async () => {
  const seen: string[] = [];
  await using run = await running(seen, 60_000);
  seen.length = 0;
  const giveBack = loseConfigMaps(run, new Unreachable('reset'));
  await run.pass(330_000);
  giveBack();
  await run.pass(600_000);
  expect(seen).toEqual([]);
});

test('a controller that does not opt in is not notified of outages', async () => {
  const seen: string[] = [];
  await using run = await running(seen);
  seen.length = 0;
  loseConfigMaps(run, refused(403, 'Forbidden'));
  await run.pass(1_200_000);
  expect(seen).toEqual([]);
});

test('a failing object is retried at the latest after the maximum delay of its controller', async () => {
  const tries: number[] = [];
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a') });
  const failing = controller({
    ...shops,
    longestRetry: 60_000,
    reconcile: async ({ clock }) => {
      tries.push(clock.now());
      throw new Error('no');
    },
  });
  await using run = await new Running(failing, { cluster }).start();
  await run.pass(7_200_000);
  const waits = tries.slice(1).map((at, i) => at - tries[i]!);
  expect(Math.max(...waits)).toBe(60_000);
  expect(waits.length).toBeGreaterThan(110);
});

test('invalid durations are refused', () => {
  expect(() => noting([], 0)).toThrow('reconcileOutagesAfter must be milliseconds above 0, got 0');
});

test('a controller starts without a kind that cannot be listed for long, reports it, and is not ready until it is read', async () => {
  const seen: string[] = [];
  const cluster = town();
  cluster.put(Shop, { metadata: inMall('a') });
  cluster.beforeRead = (resource) => {
    if (resource === 'configmaps') throw refused(403, 'Forbidden');
  };
  const patient = controller({
    ...shops,
    watches: [{ kind: ConfigMap, startsWithoutAfter: 30_000, map: () => [] }],
    reconcile: async ({ object, cache }) => {
      seen.push(`${object.metadata.name} ${cache.isRead(ConfigMap)}`);
      return done;
    },
  });
  await using run = await new Running(patient, { cluster }).start();
  await run.pass(20_000);
  expect(seen).toEqual([]);
  await run.pass(60_000);
  expect(seen).toEqual(['a false']);
  expect([run.run.unread, run.run.outages.map(({ resource }) => resource)]).toEqual([
    ['configmaps'],
    ['configmaps'],
  ]);
  cluster.beforeRead = () => undefined;
  await run.pass(60_000);
  expect(seen).toEqual(['a false', 'a true']);
  expect([run.run.unread, run.run.outages]).toEqual([[], []]);
});
