import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { Lease } from '../../kinds/coordination.ts';
import { Pod } from '../../kinds/core.ts';
import { LeadershipLost } from '../../leader/leader-election.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

import { ObservedCluster } from '../observed-cluster.ts';
import { podOf, PodReplica, putPod } from './pod-replica.ts';

const lease = { name: 'operator', namespace: 'shop' };

const city = () => new ObservedCluster({ namespaces: ['shop'] });

/** Starts two replicas, of which `a` leads and `b` waits. */
async function world(): Promise<{
  time: VirtualClock;
  cluster: ObservedCluster;
  a: PodReplica;
  b: PodReplica;
}> {
  const cluster = city();
  const { clock: time } = cluster;
  const a = new PodReplica({ cluster, pod: 'a', onLost: 'exit' }).start();
  await time.advance(100);
  const b = new PodReplica({ cluster, pod: 'b' }).start();
  await time.advance(25_000);
  expect([a.isSure, b.isSure]).toEqual([true, false]);
  return { time, cluster, a, b };
}

test('the leading Pod owns the Lease, and writes it once', async () => {
  const { time, cluster, a, b } = await world();
  await time.advance(3_600_000);
  expect([a.terms, b.terms, a.election.holder, b.election.holder]).toEqual([1, 0, 'a', 'a']);
  expect(cluster.peek(Lease, lease)).toMatchObject({
    metadata: {
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: a.uid }],
    },
    spec: { holderIdentity: 'a', leaseTransitions: 0 },
  });
  expect(cluster.calls.filter((call) => /create|update/.test(call))).toEqual([
    'create leases.coordination.k8s.io shop/operator',
  ]);
});

const ends: readonly (readonly [string, (a: PodReplica) => void])[] = [
  ['was evicted', (a) => a.end('Failed')],
  ['succeeded', (a) => a.end('Succeeded')],
  [
    'is gone',
    (a) => {
      a.die();
      a.forget();
    },
  ],
  [
    'was replaced by another Pod of its name',
    (a) => {
      a.die();
      a.forget();
    },
  ],
];

test.each(ends)('the Lease of a Pod that %s is taken over', async (what, end) => {
  const { time, cluster, a, b } = await world();
  end(a);
  if (what.includes('another')) {
    putPod(cluster, 'a');
  }
  await time.advance(10_000);
  expect([cluster.peek(Lease, lease)?.spec, b.terms]).toEqual([
    { holderIdentity: 'b', leaseTransitions: 1 },
    0,
  ]);
  expect(cluster.peek(Lease, lease)?.metadata.ownerReferences?.[0]?.uid).toBe(b.uid);
  await time.advance(49_000);
  expect(b.terms).toBe(0);
  await time.advance(11_000);
  expect([b.terms, b.isSure, cluster.peek(Lease, lease)?.spec?.acquireTime]).toEqual([
    1,
    true,
    expect.any(String),
  ]);
});

test('a Pod on a lost node loses the lead before another Pod takes it', async () => {
  const { time, a, b } = await world();
  a.isCut = true;
  await time.advance(30_000);
  expect(a.isSure).toBe(true);
  await time.advance(10_000);
  expect([a.isSure, a.ended instanceof LeadershipLost]).toEqual([false, true]);
  // Nothing reports the end of the Pod until it is evicted from the node.
  await time.advance(600_000);
  expect(b.terms).toBe(0);
  a.beginDeletion();
  // The grace period of the Pod, a minute, and a minute after the takeover.
  await time.advance(30_000 + 60_000 + 60_000 - 1);
  expect(b.terms).toBe(0);
  await time.advance(10_000 + 10_000);
  expect([b.terms, b.isSure]).toEqual([1, true]);
});

test('a Pod that ends within its grace period releases the Lease, and the next one leads within 10 seconds', async () => {
  const { time, cluster, a, b } = await world();
  a.beginDeletion();
  await time.advance(20_000);
  expect([a.isSure, b.terms]).toEqual([true, 0]);
  a.stop();
  await time.advance(0);
  expect([a.ended, a.isSure]).toEqual(['stopped', false]);
  await time.advance(10_000);
  expect([b.terms, b.isSure, cluster.peek(Lease, lease)?.spec?.leaseTransitions]).toEqual([
    1,
    true,
    1,
  ]);
});

test('a leader that finds the Lease deleted has lost, and others wait for as long as it may have relied on it', async () => {
  const { time, cluster, a, b } = await world();
  cluster.remove(Lease, lease);
  await time.advance(10_000);
  expect([a.ended instanceof LeadershipLost, b.terms]).toEqual([true, 0]);
  await time.advance(49_000);
  expect(b.terms).toBe(0);
  await time.advance(11_000);
  expect(b.terms).toBe(1);
});

test('a replica that reconnects and finds the Lease deleted waits as long', async () => {
  const { time, cluster, a, b } = await world();
  b.isCut = true;
  await time.advance(300_000);
  cluster.remove(Lease, lease);
  b.isCut = false;
  await time.advance(55_000);
  expect([a.isSure, b.terms]).toEqual([false, 0]);
  await time.advance(20_000);
  expect(b.terms).toBe(1);
});

test('every deletion of the Lease starts a new wait', async () => {
  const { time, cluster, b } = await world();
  cluster.remove(Lease, lease);
  await time.advance(50_000);
  // A third Pod has created the Lease again, and it is deleted again.
  giveToC(cluster);
  await time.advance(10_000);
  cluster.remove(Lease, lease);
  await time.advance(59_000);
  expect(b.terms).toBe(0);
  await time.advance(11_000);
  expect(b.terms).toBe(1);
});

test('another Pod with the name of the last leader waits', async () => {
  const { time, cluster, a, b } = await world();
  a.die();
  a.forget();
  b.stop();
  const again = new PodReplica({ cluster, pod: 'a' }).start();
  await time.advance(59_000);
  expect([again.terms, cluster.peek(Lease, lease)?.metadata.ownerReferences]).toEqual([
    0,
    [expect.objectContaining({ name: 'a', uid: again.uid })],
  ]);
  await time.advance(11_000);
  expect(again.terms).toBe(1);
});

/** Gives the Lease to a Pod `c`. */
function giveToC(cluster: ObservedCluster, finalizers: readonly string[] = []): void {
  const { uid } = putPod(cluster, 'c', finalizers).metadata;
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'c', uid };
  const spec = { holderIdentity: 'c' };
  cluster.put(Lease, { metadata: { ...lease, ownerReferences: [owner] }, spec });
}

test('a replica that gets no answer to its takeover waits from the moment that it sees it', async () => {
  const { time, cluster, a, b } = await world();
  a.end('Failed');
  await time.advance(10_000);
  giveToC(cluster);
  await time.advance(50_000);
  cluster.put(Pod, { metadata: podOf('c'), status: { phase: 'Failed' } });
  cluster.before = (call) => void (b.isDeaf ||= call.startsWith('update'));
  await time.advance(10_000);
  b.isDeaf = false;
  cluster.before = () => {};
  expect(cluster.peek(Lease, lease)?.spec?.holderIdentity).toBe('b');
  await time.advance(59_000);
  expect(b.terms).toBe(0);
  await time.advance(40_000);
  expect(b.terms).toBe(1);
});

test('each Pod has a grace period of its own', async () => {
  const { time, cluster, a, b } = await world();
  a.beginDeletion();
  await time.advance(80_000);
  giveToC(cluster, ['shop.example.com/held']);
  cluster.api.delete(Pod, podOf('c'), { gracePeriodSeconds: 0 });
  await time.advance(59_000);
  expect(cluster.peek(Lease, lease)?.spec?.holderIdentity).toBe('c');
  await time.advance(11_000);
  expect([cluster.peek(Lease, lease)?.spec?.holderIdentity, b.terms]).toEqual(['b', 0]);
});

test('the Lease is released even if it is written at the same time', async () => {
  const { time, cluster, a } = await world();
  let writes = 0;
  cluster.before = (call) => {
    if (!call.startsWith('update') || writes > 0) return;
    writes += 1;
    cluster.put(Lease, { metadata: { ...lease, labels: { by: 'other' } } });
  };
  a.stop();
  await time.advance(0);
  const { metadata, spec } = cluster.api.get(Lease, lease);
  expect([writes, a.ended, metadata.labels, metadata.ownerReferences, spec]).toEqual([
    1,
    'stopped',
    { by: 'other' },
    undefined,
    { holderIdentity: '', leaseTransitions: 0 },
  ]);
});

test('a container that restarts in the leading Pod leads on', async () => {
  const { time, cluster, a, b } = await world();
  a.die();
  const again = new PodReplica({ cluster, pod: 'a' }).start();
  await time.advance(1);
  expect([again.isSure, b.terms]).toEqual([true, 0]);
});

test('a container that restarts before it could rely on the Lease waits again', async () => {
  const { time, cluster, a, b } = await world();
  a.end('Failed');
  await time.advance(20_000);
  expect(cluster.peek(Lease, lease)?.spec?.holderIdentity).toBe('b');
  b.die();
  const again = new PodReplica({ cluster, pod: 'b' }).start();
  await time.advance(59_000);
  expect(again.terms).toBe(0);
  await time.advance(11_000);
  expect(again.terms).toBe(1);
});

test('a replica without a Pod, or in a Pod that is being deleted, is not a candidate', async () => {
  const cluster = city();
  const { clock: time } = cluster;
  const a = new PodReplica({ cluster, pod: 'a' });
  a.beginDeletion();
  a.start();
  const b = new PodReplica({ cluster, pod: 'b' });
  b.forget();
  b.start();
  await time.advance(60_000);
  expect([a.terms, b.terms, cluster.peek(Lease, lease)]).toEqual([0, 0, undefined]);
});

test('a Lease of another program is left alone', async () => {
  const cluster = city();
  const { clock: time } = cluster;
  const spec = { holderIdentity: 'controller-runtime' };
  cluster.put(Lease, { metadata: lease, spec });
  const a = new PodReplica({ cluster, pod: 'a' }).start();
  await time.advance(600_000);
  expect([a.terms, cluster.peek(Lease, lease)?.spec]).toEqual([0, spec]);
});

const what = ['cut', 'heal', 'failed', 'delete', 'forget', 'stall', 'stop'] as const;

test('no two replicas are sure to lead, whatever happens to Pods and nodes', async () => {
  const rate = fc.double({ min: 0.92, max: 1.08, noNaN: true });
  const event = fc.record({
    after: fc.integer({ min: 0, max: 60_000 }),
    who: fc.nat(2),
    what: fc.constantFrom(...what),
    milliseconds: fc.integer({ min: 0, max: 100_000 }),
  });
  let terms = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(rate, rate, rate),
      fc.array(event, { minLength: 1, maxLength: 12 }),
      async (rates, events) => {
        const cluster = city();
        const { clock: time } = cluster;
        const replicas = ['a', 'b', 'c'].map((pod, i) =>
          new PodReplica({ cluster, pod, rate: rates[i] ?? 1 }).start(),
        );
        const sure: string[][] = [];
        const pass = async (milliseconds: number): Promise<void> => {
          for (let rest = milliseconds; rest > 0; rest -= 500) {
            await time.advance(Math.min(rest, 500));
            sure.push(replicas.filter(({ isSure }) => isSure).map(({ pod }) => pod));
          }
        };
        await pass(1000);
        for (const { after, who, what, milliseconds } of events) {
          await pass(after);
          const replica = replicas[who]!;
          if (what === 'cut') replica.isCut = true;
          else if (what === 'heal') replica.isCut = false;
          else if (what === 'failed') replica.end('Failed');
          else if (what === 'delete') replica.beginDeletion();
          else if (what === 'forget') replica.forget();
          else if (what === 'stall') replica.clock.stall(milliseconds);
          else replica.stop();
        }
        await pass(200_000);
        expect(sure.filter(({ length }) => length > 1)).toEqual([]);
        terms += replicas.reduce((sum, { terms }) => sum + terms, 0);
      },
    ),
    runs(120),
  );
  expect(terms).toBeGreaterThan(80);
});
