import { expect, test } from '@jest/globals';
import { controller } from '../../controller/controller.ts';
import { done } from '../../controller/context.ts';
import { inMall, noting, Running, Shop, shops } from './running.ts';

test.each([
  ['tenantry.dev/paused', 'true', true],
  ['tenantry.dev/paused', 'True', true],
  ['tenantry.dev/paused', '', true],
  ['tenantry.dev/paused', 'false', false],
  ['shops.tenantry.dev/paused', 'true', true],
  ['stores.tenantry.dev/paused', 'true', false],
])('an object with %s: %j is paused: %j', async (annotation, value, isPaused) => {
  const seen: string[] = [];
  await using running = await new Running(
    controller({ ...shops, reconcile: noting(seen) }),
  ).start();
  running.cluster.put(Shop, { metadata: { ...inMall('a'), annotations: { [annotation]: value } } });
  await running.pass();
  expect(seen).toEqual(isPaused ? [] : ['a']);
});

test('a paused object is neither reconciled nor cleaned up, and this is logged once', async () => {
  const notifications: unknown[] = [];
  const seen: string[] = [];
  await using running = await new Running(
    controller({
      ...shops,
      isPaused: ({ spec }) => spec?.isClosed === true,
      finalizer: {
        name: 'example.com/shops',
        cleanUp: async () => {
          seen.push('clean-up');
          return done;
        },
      },
      reconcile: async () => {
        seen.push('reconcile');
        return done;
      },
    }),
    {
      observer: {
        paused: (...args) => void notifications.push(['paused', ...args]),
        resumed: (...args) => void notifications.push(['resumed', ...args]),
      },
    },
  ).start();
  const { cluster } = running;
  const finalizers = ['example.com/shops'];
  cluster.put(Shop, { metadata: { ...inMall('a'), finalizers }, spec: { isClosed: true } });
  await running.pass();
  cluster.put(Shop, { metadata: { ...inMall('a'), labels: { app: 'shop' } } });
  await running.pass();
  cluster.remove(Shop, inMall('a'));
  await running.pass(10_000);
  expect(seen).toEqual([]);
  expect(running.messages.filter((sentence) => /paused/.test(String(sentence)))).toEqual([
    'the object is paused and left alone',
  ]);
  expect(running.lines.filter(({ by }) => by === 'a field')).toMatchObject([{ name: 'a' }]);
  cluster.put(Shop, { metadata: inMall('a'), spec: { isClosed: false } });
  await running.pass();
  expect(seen).toEqual(['clean-up']);
  expect(notifications).toEqual([
    ['paused', 'shops', 'mall/a'],
    ['resumed', 'shops', 'mall/a'],
  ]);
  for (let count = 0; count < 2; count += 1) {
    cluster.put(Shop, { metadata: inMall('b'), spec: { isClosed: true } });
    await running.pass();
    cluster.remove(Shop, inMall('b'));
    await running.pass();
  }
  expect(notifications.slice(2)).toEqual([
    ['paused', 'shops', 'mall/b'],
    ['resumed', 'shops', 'mall/b'],
    ['paused', 'shops', 'mall/b'],
    ['resumed', 'shops', 'mall/b'],
  ]);
});
