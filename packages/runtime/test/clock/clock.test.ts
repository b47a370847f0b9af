import { expect, test } from '@jest/globals';
import { systemClock } from '../../clock/clock.ts';

test('a sleep is never shorter than requested', async () => {
  for (const milliseconds of [0.5, 1, 1.5, 2, 3.7, 5]) {
    const start = systemClock.now();
    await systemClock.sleep(milliseconds);
    expect(systemClock.now() - start).toBeGreaterThanOrEqual(milliseconds);
  }
});

test('a delay beyond the limit of Node’s timers is supported', async () => {
  const seen: string[] = [];
  const cancel = systemClock.after(2 ** 31, () => seen.push('after 24.9 days'));
  const cancelInfinite = systemClock.after(Infinity, () => seen.push('at the end of time'));
  await systemClock.sleep(10);
  expect(seen).toEqual([]);
  cancel();
  cancelInfinite();
});

test('a delay of zero lets due work run first', async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push('due'));
  await systemClock.sleep(0);
  expect(seen).toEqual(['due']);
});

test('a sleep ends as soon as its signal aborts, with the reason', async () => {
  const stop = new AbortController();
  const slept = systemClock.sleep(3_600_000, stop.signal).catch((reason: unknown) => reason);
  stop.abort('enough');
  expect(await slept).toBe('enough');
});

test('a canceled timer never runs', async () => {
  let ran = 0;
  const takeBack = [0, 1].map((milliseconds) => systemClock.after(milliseconds, () => (ran += 1)));
  for (const cancel of takeBack) cancel();
  await systemClock.sleep(5);
  expect(ran).toBe(0);
});

test('the date is the date of the machine', () => {
  const before = Date.now();
  const date = systemClock.date().getTime();
  expect(date).toBeGreaterThanOrEqual(before);
  expect(date).toBeLessThanOrEqual(Date.now());
});
