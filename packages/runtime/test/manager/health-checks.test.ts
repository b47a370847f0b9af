import { expect, test } from '@jest/globals';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { createStuckWorkCheck, EventLoopMonitor } from '../../manager/manager-servers.ts';
import { ProcessClock } from '@tenantry/testing/simulation/operator/process';

test('an event loop that is blocked for more than half of a minute is unhealthy until that is a minute ago', async () => {
  const time = new VirtualClock();
  const clock = new ProcessClock(time);
  const stalls: number[] = [];
  const loop = new EventLoopMonitor({
    clock,
    stalled: (milliseconds) => stalls.push(milliseconds),
  });
  const stop = new AbortController();
  const run = loop.run(stop.signal);
  await time.advance(60_500);
  expect(stalls).toEqual([]);
  for (const milliseconds of [900, 15_000, 14_000]) {
    clock.stall(milliseconds);
    await time.advance(milliseconds + 1100);
  }
  loop.check();
  expect(stalls.map((one) => Math.round(one / 1000))).toEqual([14, 13]);
  clock.stall(5000);
  await time.advance(5100);
  expect(() => loop.check()).toThrow(
    /^of the last 60000 ms the event loop must stand still for at most 30000, got 3\d{4}$/,
  );
  // The first of the stalls is now a minute ago.
  await time.advance(30_000);
  loop.check();
  stop.abort();
  await run;
  expect(time.waiting).toBe(0);
});

test('of a stall that began more than a minute ago, the part within the minute counts', async () => {
  const time = new VirtualClock();
  const clock = new ProcessClock(time);
  const loop = new EventLoopMonitor({ clock, longest: 10_000 });
  const stop = new AbortController();
  const run = loop.run(stop.signal);
  clock.stall(300_000);
  await time.advance(300_000 + 49_000);
  expect(() => loop.check()).toThrow('at most 10000, got 11000');
  await time.advance(2000);
  loop.check();
  await time.advance(60_000);
  clock.stall(13_000);
  await time.advance(13_100);
  expect(() => loop.check()).toThrow('at most 10000, got 12');
  stop.abort();
  await run;
});

test('work that takes too long is named', () => {
  const inWork = new Map([
    ['mall/a', 10],
    ['mall/b', 1001],
  ]);
  const check = createStuckWorkCheck('reconciles', 1000, () => inWork);
  const { signal } = new AbortController();
  expect(() => check.check(signal)).toThrow(
    new Error('mall/b must end within 1000 ms, got 1001 ms'),
  );
  inWork.delete('mall/b');
  expect(check.check(signal)).toBeUndefined();
});
