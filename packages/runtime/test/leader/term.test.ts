import { expect, test } from '@jest/globals';
import type { Clock } from '../../clock/clock.ts';
import { leaseElection } from '../../leader/lease-election.ts';
import { millisecondsSince, captureMoment } from '../../leader/term.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { silent } from './candidate.ts';
import { LeaseNetwork } from './lease-network.ts';

/** Returns a clock whose date can be set. */
function settable(time: VirtualClock): Clock & { shift: number } {
  return {
    now: () => time.now(),
    sleep: (milliseconds, signal) => time.sleep(milliseconds, signal),
    after: (milliseconds, run) => time.after(milliseconds, run),
    date() {
      return new Date(time.date().getTime() + this.shift);
    },
    shift: 0,
  };
}

test.each([
  [0, 1000],
  [-3_600_000, 1000],
  [30_000, 31_000],
])(
  'a second during which the date was set ahead by %i ms is %i ms long',
  async (shift, expected) => {
    const time = new VirtualClock();
    const clock = settable(time);
    const then = captureMoment(clock);
    clock.shift = shift;
    await time.advance(1000);
    expect(millisecondsSince(clock, then)).toBe(expected);
  },
);

test('a leader that cannot renew has lost at the renew deadline, even if its date was set back by an hour', async () => {
  const time = new VirtualClock();
  const clock = settable(time);
  const direct = new LeaseNetwork(time).directClient();
  let isAway = false;
  const client: typeof direct = {
    ...direct,
    get: (...args) => (isAway ? new Promise(() => {}) : direct.get(...args)),
    update: (...args) => (isAway ? new Promise(() => {}) : direct.update(...args)),
  };
  const lease = { name: 'operator', namespace: 'shop' };
  const election = leaseElection({ client, lease, clock, random: () => 0, log: silent });
  const never = new Promise<void>(() => {});
  const ended = election.run(() => never, new AbortController().signal);
  const lost = expect(ended).rejects.toThrow('was not renewed for 10000 ms');
  await time.advance(2500);
  isAway = true;
  clock.shift = -3_600_000;
  await time.advance(9490);
  expect(election.isLeading()).toBe(true);
  await time.advance(20);
  expect(election.isLeading()).toBe(false);
  await lost;
});
