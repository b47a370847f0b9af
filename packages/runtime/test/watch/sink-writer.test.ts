import { expect, test } from '@jest/globals';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { TimeSlice } from '../../clock/pacing.ts';
import { Listing } from '../../watch/sink-writer.ts';
import { SimulatedServer, type shops } from './simulated-server.ts';

test('accepting a list that looked like the past yields to other work', async () => {
  const clock = new VirtualClock();
  const server = new SimulatedServer(clock);
  const stored: string[] = [];
  const listing = new Listing<typeof shops>({
    check: () => undefined,
    isOutdated: () => true,
    store: ({ metadata }) => void stored.push(metadata.name),
    unreadable: () => undefined,
    remove: () => undefined,
    keys: () => [],
    drop: () => undefined,
    listed: () => void stored.push('listed'),
  });
  for (const name of ['a', 'b', 'c']) listing.add(server.put({ name }, 1));
  let worked = 0;
  const busy = {
    now: () => (worked += 6),
    date: () => clock.date(),
    sleep: clock.sleep,
    after: (milliseconds: number, run: () => void) => clock.after(milliseconds, run),
  };
  const seen: number[] = [];
  clock.after(0, () => seen.push(stored.length));
  const ended = listing.end('9', new TimeSlice(busy, new AbortController().signal));
  await clock.advance(0);
  expect(await ended).toBe(3);
  expect(stored).toEqual(['a', 'b', 'c', 'listed']);
  expect(seen).toEqual([2]);
});
