import { expect, test } from '@jest/globals';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { WorkQueue, type QueueObserver } from '../../queue/work-queue.ts';

const setUp = (observer?: QueueObserver) => {
  const clock = new VirtualClock();
  return { clock, queue: new WorkQueue({ clock, random: () => 0, observer }) };
};

/** Takes and finishes every key that is available now. */
const takeAll = async (queue: WorkQueue): Promise<string[]> => {
  const taken: string[] = [];
  while (queue.depth > 0) {
    const key = await queue.take();
    if (key === undefined) break;
    taken.push(key);
    queue.done(key);
  }
  return taken;
};

test('a key that is added three times is taken once', async () => {
  const { queue } = setUp();
  for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
  expect(await takeAll(queue)).toEqual(['a', 'b']);
});

test('a key that changes while it is processed returns after that, and not before', async () => {
  const { queue } = setUp();
  queue.add('a');
  await queue.take();
  queue.add('a');
  queue.add('a');
  expect(queue.depth).toBe(0);
  queue.done('a');
  expect(await takeAll(queue)).toEqual(['a']);
});

test('a key that changes twice while it is processed has the higher priority of the two changes', async () => {
  const { queue } = setUp();
  queue.add('a');
  await queue.take();
  queue.add('a', { priority: 5 });
  queue.add('a');
  queue.add('b', { priority: 3 });
  queue.done('a');
  expect(await takeAll(queue)).toEqual(['a', 'b']);
});

test('a key whose priority is raised has waited since it was first added', async () => {
  const waits: number[] = [];
  const { queue, clock } = setUp({ taken: (_, waited) => waits.push(waited) });
  queue.add('a');
  await clock.advance(70);
  queue.add('a', { priority: 5 });
  await clock.advance(7);
  await takeAll(queue);
  expect(waits).toEqual([77]);
});

test('a change goes before the start-up, even for a key that already waits', async () => {
  const { queue } = setUp();
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key, { priority: -100 });
  queue.add('new');
  queue.add('c');
  queue.add('new', { priority: -100 });
  expect(await takeAll(queue)).toEqual(['new', 'c', 'a', 'b', 'd']);
});

test('a constant load does not block lower priorities forever', async () => {
  const { queue } = setUp();
  for (const key of ['a', 'b']) queue.add(key, { priority: -100 });
  for (const key of ['c', 'd']) queue.add(key, { priority: -50 });
  const taken: (string | undefined)[] = [];
  for (let count = 0; count < 45; count += 1) {
    queue.add('busy');
    const key = await queue.take();
    taken.push(key);
    if (key !== undefined) queue.done(key);
  }
  const others = taken.flatMap((key, at) => (key === 'busy' ? [] : [`${at} ${key}`]));
  expect(others).toEqual(['9 c', '19 a', '29 d', '39 b']);
});

test('a flow with a thousand keys does not delay a flow with one', async () => {
  const { queue } = setUp();
  for (let n = 0; n < 1000; n += 1) queue.add(`big/${n}`, { flow: 'big' });
  queue.add('small/1', { flow: 'small' });
  queue.add('small/2', { flow: 'small' });
  const order = await takeAll(queue);
  expect(order.slice(0, 5)).toEqual(['big/0', 'small/1', 'big/1', 'small/2', 'big/2']);
  expect(order).toHaveLength(1002);
});

test('of two delays the earlier one applies, and no delay at all is the earliest', async () => {
  const { queue, clock } = setUp();
  queue.add('a', { after: 1000 });
  queue.add('a', { after: 100 });
  queue.add('a', { after: 5000 });
  await clock.advance(99);
  expect([queue.depth, queue.delayed]).toEqual([0, 1]);
  await clock.advance(1);
  expect([queue.depth, queue.delayed]).toEqual([1, 0]);
  queue.add('a', { after: 10 });
  expect(await takeAll(queue)).toEqual(['a']);
  expect(clock.waiting).toBe(0);
});

test('consecutive failures double the delay from 5 ms to 1000 s, half of which is random', async () => {
  for (const chance of [0, 0.5, 0.999_999]) {
    const clock = new VirtualClock();
    const delays: number[] = [];
    const queue = new WorkQueue({
      clock,
      random: () => chance,
      observer: { retried: (_key, _failures, delay) => void delays.push(delay) },
    });
    queue.add('a');
    for (let failures = 1; failures <= 20; failures += 1) {
      await queue.take();
      queue.retry('a');
      queue.done('a');
      const full = Math.min(5 * 2 ** (failures - 1), 1_000_000);
      const delay = delays.at(-1) ?? 0;
      expect(delay).toBeCloseTo(full * (1 - chance / 2), 6);
      await clock.advance(delay - 0.001);
      expect(queue.depth).toBe(0);
      await clock.advance(0.002);
      expect(queue.depth).toBe(1);
    }
    expect(queue.failures('a')).toBe(20);
    queue.forget('a');
    await queue.take();
    queue.retry('a');
    expect(delays.at(-1)).toBeLessThanOrEqual(5);
  }
});

test('a retry waits at least for the Retry-After of the server', async () => {
  const { queue, clock } = setUp();
  queue.add('a');
  await queue.take();
  queue.retry('a', { atLeast: 30_000 });
  queue.done('a');
  await clock.advance(29_999);
  expect(queue.depth).toBe(0);
  await clock.advance(1);
  expect(queue.depth).toBe(1);
});

test('a failed key returns with its priority, after others of the same priority', async () => {
  const { queue, clock } = setUp();
  queue.add('start-up', { priority: -100 });
  await queue.take();
  queue.retry('start-up');
  queue.done('start-up');
  await clock.advance(5);
  queue.add('change');
  expect(await takeAll(queue)).toEqual(['change', 'start-up']);
});

test('callers who wait at an empty queue get the next keys in the order of their calls', async () => {
  const { queue, clock } = setUp();
  const got: string[] = [];
  void queue.take().then((key) => got.push(`first ${key}`));
  void queue.take().then((key) => got.push(`second ${key}`));
  await clock.advance(0);
  expect(got).toEqual([]);
  queue.add('a');
  queue.add('b');
  await clock.advance(0);
  expect(got).toEqual(['first a', 'second b']);
});

test('a closed queue drops waiting keys, and is idle once running ones are done', async () => {
  const { queue, clock } = setUp();
  for (const key of ['a', 'b']) queue.add(key);
  queue.add('later', { after: 10 });
  await queue.take();
  queue.add('a');
  let isIdle = false;
  const closed = queue.close().then(() => (isIdle = true));
  queue.add('c');
  expect(await queue.take()).toBeUndefined();
  expect(isIdle).toBe(false);
  queue.retry('a');
  queue.done('a');
  await closed;
  expect([queue.depth, queue.delayed, clock.waiting]).toEqual([0, 0, 0]);
});

test('a draining queue still hands out waiting keys, and those that changed meanwhile', async () => {
  const { queue } = setUp();
  for (const key of ['a', 'b']) queue.add(key);
  queue.add('later', { after: 10 });
  await queue.take();
  queue.add('a');
  const drained = queue.drain();
  queue.add('c');
  expect(await queue.take()).toBe('b');
  queue.done('b');
  const next = queue.take();
  queue.done('a');
  expect(await next).toBe('a');
  const end = queue.take();
  queue.done('a');
  await drained;
  expect(await end).toBeUndefined();
});

test('finishing or retrying a key that nobody took is an error', () => {
  const { queue } = setUp();
  queue.add('a');
  expect(() => queue.done('a')).toThrow('a must be worked on to be done');
  expect(() => queue.retry('a')).toThrow('a must be worked on to be tried again');
});

test('an observer gets the waiting and processing time of each key, once', async () => {
  const notifications: string[] = [];
  const { queue, clock } = setUp({
    added: (key, priority) => void notifications.push(`added ${key} ${priority}`),
    taken: (key, waited) => void notifications.push(`taken ${key} ${waited}`),
    finished: (key, worked) => void notifications.push(`finished ${key} ${worked}`),
    retried: (key, failures, delay) =>
      void notifications.push(`retried ${key} ${failures} ${delay}`),
  });
  queue.add('a');
  queue.add('a', { priority: 1 });
  await clock.advance(10);
  await queue.take();
  await clock.advance(20);
  queue.add('a');
  queue.add('a');
  expect(queue.inWork).toEqual(new Map([['a', 20]]));
  queue.retry('a');
  queue.done('a');
  await clock.advance(5);
  await queue.take();
  queue.add('b', { after: 100, priority: 2 });
  await clock.advance(130);
  await queue.take();
  expect(notifications).toEqual([
    'added a 0',
    'taken a 10',
    'added a 0',
    'retried a 1 5',
    'finished a 20',
    'taken a 5',
    'added b 2',
    'taken b 30',
  ]);
});
