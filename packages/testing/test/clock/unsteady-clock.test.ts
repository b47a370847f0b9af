import { expect, test } from '@jest/globals';
import { UnsteadyClock } from '../../clock/unsteady-clock.ts';
import { VirtualClock } from '../../clock/virtual-clock.ts';

test('without jumps it equals the underlying clock', async () => {
  const virtual = new VirtualClock();
  const clock = new UnsteadyClock({ clock: virtual });
  let isOver = false;
  void clock.sleep(1000).then(() => (isOver = true));
  await virtual.advance(999);
  expect([clock.now(), clock.date(), isOver]).toEqual([999, virtual.date(), false]);
  await virtual.advance(1);
  expect([clock.now(), isOver, clock.waiting, virtual.waiting]).toEqual([1000, true, 0, 0]);
});

test('timers that are due in a jump run after it, and the others wait for the rest', async () => {
  const virtual = new VirtualClock();
  const clock = new UnsteadyClock({ clock: virtual });
  const began = clock.date().getTime();
  const ran: number[] = [];
  for (const delay of [50, 3000, 9000]) clock.after(delay, () => ran.push(clock.now()));
  clock.after(2000, () => ran.push(-1))();
  clock.jump(5000);
  expect([clock.now(), clock.date().getTime() - began, ran]).toEqual([5000, 5000, []]);
  expect(clock.waiting).toBe(3);
  await virtual.advance(0);
  expect(ran).toEqual([5000, 5000]);
  await virtual.advance(3999);
  expect(ran).toEqual([5000, 5000]);
  await virtual.advance(1);
  expect([ran, virtual.waiting]).toEqual([[5000, 5000, 9000], 0]);
  expect(() => clock.jump(-1)).toThrow('a jump must be milliseconds from 0 on, got -1');
});

test('a changed date moves no timer', async () => {
  const virtual = new VirtualClock();
  const clock = new UnsteadyClock({ clock: virtual });
  let runs = 0;
  clock.after(1000, () => (runs += 1));
  for (const by of [-3_600_000, 7_200_000]) clock.putDate(by);
  await virtual.advance(999);
  expect([clock.now(), runs]).toEqual([999, 0]);
  expect(clock.date().getTime() - virtual.date().getTime()).toBe(3_600_000);
  await virtual.advance(1);
  expect(runs).toBe(1);
});

test('at a rate of 3 time passes three times as fast, and no timer runs early', async () => {
  const virtual = new VirtualClock();
  await virtual.advance(70);
  const clock = new UnsteadyClock({ clock: virtual, rate: 3 });
  const began = { now: clock.now(), date: clock.date().getTime() };
  const ran: number[] = [];
  for (const delay of [100, 1000]) clock.after(delay, () => ran.push(clock.now() - began.now));
  await virtual.advance(33);
  expect(ran).toEqual([]);
  await virtual.advance(967);
  expect(ran.map(Math.round)).toEqual([100, 1000]);
  expect([clock.now() - began.now, clock.date().getTime() - began.date]).toEqual([3000, 3000]);
  expect(() => new UnsteadyClock({ rate: 0 })).toThrow('the rate must be above 0, got 0');
});
