import { expect, test } from '@jest/globals';
import { LeaseLock } from '../../leader/lease-election.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { LeaseNetwork } from './lease-network.ts';

const { signal } = new AbortController();

/** Returns an acquired lock, and a server on which another client writes the Lease just before this process does. */
async function heldLock() {
  const clock = new VirtualClock();
  const server = new LeaseNetwork(clock);
  const direct = server.directClient();
  let interfere = (): void => {};
  const client: typeof direct = {
    ...direct,
    update: async (...args) => {
      interfere();
      return direct.update(...args);
    },
  };
  const name = { namespace: 'shop', name: 'operator' };
  const lock = new LeaseLock({ client, clock, name, identity: 'a', leaseDuration: 15_000 });
  expect(await lock.acquire(signal)).toBe(true);
  return { clock, lock, server, before: (run: () => void) => void (interfere = run) };
}

test('only an accepted write renews a lock', async () => {
  const { clock, lock, server, before } = await heldLock();
  expect(await lock.renew(signal)).toBe(true);
  const writes = server.writes.length;
  let times = 0;
  before(() => server.label(String((times += 1))));
  await expect(lock.renew(signal)).rejects.toThrow('lease shop/operator is written by others too');
  expect([server.writes.length, times]).toEqual([writes, 2]);
  before(() => {});
  // The clock must advance, since a write that changes nothing does not count.
  await clock.advance(1000);
  expect(await lock.renew(signal)).toBe(true);
  expect(server.writes).toHaveLength(writes + 1);
});

test('a leader whose renewal is overwritten has lost', async () => {
  const { lock, server, before } = await heldLock();
  before(() => server.seize('b'));
  expect(await lock.renew(signal)).toBe(false);
  expect(lock.holder).toBe('b');
});

test('a lock is released in the end, even if others write it during the release', async () => {
  const { lock, server, before } = await heldLock();
  let times = 0;
  before(() => {
    times += 1;
    if (times < 3) server.label(String(times));
  });
  await lock.release(signal);
  expect([server.lease?.spec?.holderIdentity, times]).toEqual(['', 3]);
  await lock.release(signal);
  expect(times).toBe(3);
});
