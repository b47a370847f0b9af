import { expect, test } from '@jest/globals';
import { VirtualClock } from '../../clock/virtual-clock.ts';

test('time passes only when the test advances it', async () => {
  const clock = new VirtualClock(new Date('2026-11-22T10:00:00Z'));
  expect([clock.now(), clock.date().toISOString()]).toEqual([0, '2026-11-22T10:00:00.000Z']);
  await clock.advance(90_000);
  expect([clock.now(), clock.date().toISOString()]).toEqual([90_000, '2026-11-22T10:01:30.000Z']);
});

test('due timers run in order, each at its own time, including timers that they set', async () => {
  const clock = new VirtualClock();
  const seen: [string, number][] = [];
  const see = (name: string) => (): void => void seen.push([name, clock.now()]);
  clock.after(30, see('third'));
  clock.after(10, () => {
    see('first')();
    clock.after(5, see('second'));
  });
  clock.after(30, see('fourth'));
  clock.after(31, see('too late'));
  await clock.advance(30);
  expect(seen).toEqual([
    ['first', 10],
    ['second', 15],
    ['third', 30],
    ['fourth', 30],
  ]);
  expect([clock.now(), clock.waiting]).toEqual([30, 1]);
});

test('promises settle before the next timer runs', async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  const twice = async (): Promise<void> => {
    await clock.sleep(10);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    seen.push('woken');
    await clock.sleep(0);
    seen.push('later in the same moment');
  };
  const done = twice();
  clock.after(11, () => seen.push('timer'));
  await clock.advance(11);
  await done;
  expect(seen).toEqual(['woken', 'later in the same moment', 'timer']);
});

test('a cancelled timer never runs and leaves nothing behind', async () => {
  const clock = new VirtualClock();
  let ran = 0;
  const cancel = clock.after(5, () => (ran += 1));
  cancel();
  cancel();
  await clock.advance(10);
  expect([ran, clock.waiting]).toEqual([0, 0]);
});

test('a sleeper wakes with the reason as soon as its signal aborts', async () => {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const slept = clock.sleep(1000, stop.signal).catch((reason: unknown) => reason);
  stop.abort('enough');
  expect([await slept, clock.waiting]).toEqual(['enough', 0]);
  expect(await clock.sleep(0, stop.signal).catch((reason: unknown) => reason)).toBe('enough');
});

test('an error thrown by a timer rejects the advance', async () => {
  const clock = new VirtualClock();
  clock.after(5, () => {
    throw new Error('broken');
  });
  await expect(clock.advance(5)).rejects.toThrow('broken');
});
