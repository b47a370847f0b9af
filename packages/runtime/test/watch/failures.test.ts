import { expect, test } from '@jest/globals';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { withIdleTimeout } from '../../watch/failures.ts';

const hearing = () => {
  const stop = new AbortController();
  const clock = new VirtualClock();
  return { stop, clock, with: { clock, idleTimeout: () => 1000, signal: stop.signal } };
};

test('the time that the listener takes does not count as idle time', async () => {
  const given = hearing();
  const received: number[] = [];
  const listen = async (): Promise<void> => {
    const count = async function* (signal: AbortSignal) {
      yield 1;
      yield 2;
      await given.clock.sleep(999, signal);
      signal.throwIfAborted();
      yield 3;
    };
    for await (const one of withIdleTimeout(count, given.with)) {
      await given.clock.sleep(60_000);
      received.push(one);
    }
  };
  const done = listen();
  await given.clock.advance(300_000);
  await done;
  expect([received, given.clock.waiting]).toEqual([[1, 2, 3], 0]);
});

test('an idle timeout is an error, and closes the stream', async () => {
  const given = hearing();
  let isClosed = false;
  const open = async function* (signal: AbortSignal): AsyncGenerator<number> {
    signal.addEventListener('abort', () => (isClosed = true));
    yield 1;
    await new Promise(() => undefined);
  };
  const received: number[] = [];
  const listen = async (): Promise<void> => {
    for await (const one of withIdleTimeout(open, given.with)) received.push(one);
  };
  const done = expect(listen()).rejects.toThrow('the watch delivered nothing for 1 s');
  await given.clock.advance(999);
  expect(isClosed).toBe(false);
  await given.clock.advance(1);
  await done;
  expect([received, isClosed, given.clock.waiting]).toEqual([[1], true, 0]);
});

test('a listener that leaves closes the stream', async () => {
  const given = hearing();
  let isClosed = false;
  const open = async function* (signal: AbortSignal): AsyncGenerator<number> {
    signal.addEventListener('abort', () => (isClosed = true));
    yield 1;
    yield 2;
  };
  for await (const one of withIdleTimeout(open, given.with)) if (one === 1) break;
  expect([isClosed, given.clock.waiting]).toEqual([true, 0]);
});

test('after the signal nothing is opened, and nothing is read', async () => {
  const given = hearing();
  const opened: string[] = [];
  const open = async function* (): AsyncGenerator<number> {
    opened.push('opened');
    yield 1;
    opened.push('asked for more');
    await new Promise(() => undefined);
  };
  const reason = new Error('enough');
  const listen = async (): Promise<void> => {
    for await (const one of withIdleTimeout(open, given.with))
      if (one === 1) given.stop.abort(reason);
  };
  await expect(listen()).rejects.toBe(reason);
  await expect(listen()).rejects.toBe(reason);
  expect(opened).toEqual(['opened']);
});
