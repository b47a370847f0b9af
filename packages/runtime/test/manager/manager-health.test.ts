import { expect, test } from '@jest/globals';
import { controller } from '../../controller/controller.ts';
import { done } from '../../controller/context.ts';
import { inMall, Shop } from '../controller/running.ts';
import { until } from '@tenantry/testing/waiting/until';
import { refused } from '../observed-cluster.ts';
import { Managed } from './managed.ts';

test('a manager is ready once its caches are filled, and alive until a reconcile does not end', async () => {
  const hanging = controller({
    name: 'shops',
    for: Shop,
    reconcile: () => new Promise(() => {}),
  });
  const health = { port: 0, host: '127.0.0.1', longestReconcile: 600_000 };
  const managed = new Managed({ controllers: [hanging], health, gracefulStop: 1000 });
  managed.cluster.beforeRead = () => Promise.reject(refused(404, 'NotFound'));
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  await until('health is served', () => managed.messages.includes('health is served'));
  const port = Number(managed.lines.find(({ port }) => port !== undefined)?.['port']);
  const status = async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { connection: 'close' },
    });
    await response.text();
    return response.status;
  };
  await managed.pass(3_600_000);
  expect([await status('/livez'), await status('/readyz')]).toEqual([200, 500]);
  managed.cluster.beforeRead = () => undefined;
  await managed.pass(120_000);
  expect([await status('/livez'), await status('/readyz')]).toEqual([200, 200]);
  await managed.pass(600_000);
  expect([await status('/livez'), await status('/livez/event-loop')]).toEqual([500, 200]);
  expect(managed.lines.at(-1)).toMatchObject({
    check: 'reconciles',
    error: { message: expect.stringMatching(/^shops: mall\/a must end within 600000 ms, got /) },
  });
  await managed.stop();
  await managed.pass(1000);
  await until('it has ended', () => managed.ended !== undefined);
});

test('a replica that must fail in outages is not ready while a kind cannot be watched for long, and names the kind', async () => {
  for (const isReadyInOutages of [false, true]) {
    const idle = controller({ name: 'shops', for: Shop, reconcile: () => Promise.resolve(done) });
    const health = { port: 0, host: '127.0.0.1', isReadyInOutages };
    await using managed = disposable(new Managed({ controllers: [idle], health }));
    await managed.start();
    await until('health is served', () => managed.messages.includes('health is served'));
    const port = Number(managed.lines.find((line) => line['port'] !== undefined)?.['port']);
    const ask = async (): Promise<string> => {
      const headers = { connection: 'close' };
      return (await fetch(`http://127.0.0.1:${port}/readyz?verbose`, { headers })).text();
    };
    managed.cluster.beforeRead = () => Promise.reject(refused(403, 'Forbidden'));
    await managed.pass(1_200_000);
    const failed = '[-]watches failed: not listed or watched: shops.example.com (refused)\n';
    expect((await ask()).includes(failed)).toBe(!isReadyInOutages);
    managed.cluster.beforeRead = () => undefined;
    await managed.pass(120_000);
    expect(await ask()).toContain('readyz check passed');
  }
});

function disposable(managed: Managed): Managed & AsyncDisposable {
  return Object.assign(managed, { [Symbol.asyncDispose]: () => managed.stop() });
}
