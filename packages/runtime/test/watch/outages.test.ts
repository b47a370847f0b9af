import { expect, test } from '@jest/globals';
import { ApiError } from '../../errors/api-error.ts';
import { Unreachable } from '../../errors/client-errors.ts';
import type { Outage } from '../../watch/failures.ts';
import { ReflectedShops } from './reflected.ts';

const away = new Unreachable('connection refused');
const forbidden = new ApiError({ code: 403, reason: 'Forbidden', message: 'shops is forbidden' });

const shop = { name: 'a' };

/** Starts a reflection, and waits until its watch has begun. */
async function begun(): Promise<ReflectedShops> {
  const given = new ReflectedShops();
  given.server.put(shop, 1);
  await given.start();
  return given;
}

/** Makes every call fail with this error, until the returned function is called. */
function failing({ server }: ReflectedShops, error: Error): () => void {
  const many = Array.from({ length: 10_000 }, () => error);
  server.failures.push(...many);
  server.cut();
  return () => void server.failures.splice(0);
}

const outagesOf = (given: ReflectedShops): readonly Outage[] =>
  given.happenings.flatMap((one) => (one.type === 'failed' ? [one.outage] : []));
const lengthOf = ({ since, until }: Outage): number => until - since;
const recoveries = (given: ReflectedShops): number =>
  given.happenings.filter(({ type }) => type === 'recovered').length;

test('an outage lasts from the first failure to the last, and has the last reason', async () => {
  const given = await begun();
  failing(given, forbidden);
  await given.clock.advance(300_000);
  const last = outagesOf(given).at(-1)!;
  expect(lengthOf(last)).toBeGreaterThan(260_000);
  expect(last).toMatchObject({ during: 'watch', cause: 'refused', error: forbidden });
  expect(recoveries(given)).toBe(0);
  await given.stop();
});

test('a server that comes back gets a request within four seconds, however long it was away', async () => {
  for (const milliseconds of [60_000, 61_000, 62_500, 3_600_000]) {
    const given = await begun();
    const back = failing(given, away);
    await given.clock.advance(milliseconds);
    back();
    given.server.put(shop, 2);
    await given.clock.advance(4_000);
    expect(given.changes).toEqual(['put a=1', 'put a=2']);
    expect(recoveries(given)).toBe(1);
    await given.stop();
  }
});

test('a failure that needs a fix by hand is retried every half minute', async () => {
  const given = await begun();
  failing(given, forbidden);
  await given.clock.advance(600_000);
  const waits = given.happenings.flatMap((one) => (one.type === 'failed' ? [one.retryIn] : []));
  expect(waits.at(-1)).toBe(30_000);
  await given.stop();
});

test('a short outage of a kind without changes ends, and is never reported as a long one', async () => {
  const given = await begun();
  const back = failing(given, away);
  await given.clock.advance(5_000);
  back();
  await given.clock.advance(50_000);
  expect(recoveries(given)).toBe(1);
  expect(Math.max(...outagesOf(given).map(lengthOf))).toBeLessThan(6_000);
  await given.stop();
});

test('after a watch with an idle timeout, an open watch alone does not end the outage', async () => {
  const given = new ReflectedShops();
  given.server.put(shop, 1);
  await given.start({ idleTimeout: 50_000 });
  given.server.hangs = true;
  await given.clock.advance(95_000);
  expect([given.causes, recoveries(given)]).toEqual([['quiet'], 0]);
  given.server.hangs = false;
  given.server.cut();
  await given.clock.advance(1_000);
  given.server.put(shop, 2);
  await given.clock.advance(0);
  expect(recoveries(given)).toBe(1);
  await given.stop();
});
