import { expect, test } from '@jest/globals';
import { allow } from '../../access/grant.ts';
import { controller } from '../../controller/controller.ts';
import { done } from '../../controller/context.ts';
import { ifExists } from '../../errors/reaction.ts';
import { leaseElection } from '../../leader/lease-election.ts';
import { LeadershipLost } from '../../leader/leader-election.ts';
import type { LeaderDeps } from '../../manager/manager.ts';
import { ConfigMap, inMall, Shop, shops } from '../controller/running.ts';
import { Election, idle, Managed, noting } from './managed.ts';

/** Returns a controller that creates a ConfigMap after this many milliseconds. */
const makingAfter = (milliseconds: number, made: () => void = () => {}) =>
  controller({
    ...shops,
    access: [allow(ConfigMap, 'create')],
    reconcile: async ({ clock, client }) => {
      await clock.sleep(milliseconds);
      await client.create(ConfigMap, { metadata: inMall('a') });
      made();
      return done;
    },
  });

test('a replica logs that it leads only if there is an election', async () => {
  const election = new Election([]);
  const [alone, elected] = [
    new Managed({ controllers: [idle] }),
    new Managed({ controllers: [idle], leaderElection: election }),
  ];
  for (const managed of [alone, elected]) await managed.start();
  election.lead();
  await elected.pass();
  const leads = 'this replica leads';
  expect([alone, elected].map(({ messages }) => messages.includes(leads))).toEqual([false, true]);
  for (const managed of [alone, elected]) await managed.stop();
});

test('controllers and runnables that need the lead run while this replica leads, others always', async () => {
  const steps: string[] = [];
  const election = new Election(steps);
  const watching = controller({
    ...shops,
    reconcile: async ({ object }) => {
      steps.push(`shop ${object.metadata.name}`);
      return done;
    },
  });
  const managed = new Managed({
    controllers: [watching],
    runnables: [noting(steps, 'metrics'), noting(steps, 'timer', { needsLeadership: true })],
    leaderElection: election,
  });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  await managed.pass(60_000);
  expect(steps.splice(0)).toEqual(['metrics begins']);
  election.lead();
  await managed.pass();
  expect(steps.splice(0)).toEqual(['timer begins', 'shop a']);
  election.lose();
  managed.cluster.put(Shop, { metadata: inMall('b') });
  await managed.pass(60_000);
  expect(steps.splice(0)).toEqual(['timer ends']);
  expect(managed.messages).toContain('this replica does not lead any more');
  election.lead();
  await managed.pass();
  expect(steps.splice(0)).toEqual(['timer begins', 'shop a', 'shop b']);
  await managed.stop();
  expect(steps).toEqual(['timer ends', 'the lease is given back', 'metrics ends']);
  expect(managed.ended).toBe('ended');
});

test('the lease is released after the work has ended, and then the rest ends', async () => {
  const steps: string[] = [];
  const election = new Election(steps);
  const managed = new Managed({
    controllers: [makingAfter(10_000, () => steps.push('finished'))],
    runnables: [noting(steps, 'metrics')],
    leaderElection: election,
  });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  election.lead();
  await managed.pass();
  await managed.stop();
  await managed.pass(9999);
  expect(steps.splice(0)).toEqual(['metrics begins']);
  await managed.pass(1);
  expect(steps).toEqual(['finished', 'the lease is given back', 'metrics ends']);
  expect(managed.ended).toBe('ended');
});

test('a replica that no longer leads starts no write, even if it was not asked to end', async () => {
  const steps: string[] = [];
  const election = new Election(steps);
  const managed = new Managed({ controllers: [makingAfter(1000)], leaderElection: election });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  election.lead();
  await managed.pass();
  election.lose();
  await managed.pass(10_000);
  expect(managed.cluster.calls).toEqual([]);
  expect(managed.messages).toContain('the reconcile was stopped');
  await managed.stop();
  expect(managed.ended).toBe('ended');
});

test('a replica that is not sure to lead starts no write, even before its signal aborts', async () => {
  const election = new Election([]);
  const writing = controller({
    ...shops,
    access: [allow(ConfigMap, 'create')],
    reconcile: async ({ client, object }) => {
      await client.create(ConfigMap, { metadata: inMall(object.metadata.name) });
      return done;
    },
  });
  const managed = new Managed({ controllers: [writing], leaderElection: election });
  managed.cluster.put(Shop, { metadata: inMall('a') });
  await managed.start();
  election.isSure = false;
  election.lead();
  await managed.pass();
  expect(managed.cluster.calls).toEqual([]);
  election.isSure = true;
  await managed.pass(1000);
  expect(managed.cluster.calls).toEqual(['create configmaps mall/a']);
  await managed.stop();
});

test('of two managers with one Lease one works, and the other one works after that one has ended', async () => {
  const lease = { name: 'shops', namespace: 'mall' };
  const props = (name: string) => ({
    controllers: [
      controller({
        ...shops,
        access: [allow(ConfigMap, 'create')],
        reconcile: async ({ client, object }) => {
          const metadata = inMall(`${object.metadata.name}-by-${name}`);
          await client.create(ConfigMap, { metadata }).catch(ifExists);
          return done;
        },
      }),
    ],
    leaderElection: (deps: LeaderDeps) => leaseElection({ ...deps, lease, identity: name }),
  });
  const a = await new Managed(props('a')).start();
  const b = await new Managed(props('b'), a).start();
  const written = (): string[] =>
    a.cluster.calls.splice(0).filter((call) => call.includes('configmaps'));
  a.cluster.put(Shop, { metadata: inMall('x') });
  await a.pass(10_000);
  expect(written()).toEqual(['create configmaps mall/x-by-a']);
  await a.stop();
  expect(a.ended).toBe('ended');
  await b.pass(2000);
  expect(written()).toEqual(['create configmaps mall/x-by-b']);
  // The cluster can no longer be reached.
  a.cluster.before = () => Promise.reject(new Error('unreachable'));
  await b.pass(11_000);
  expect(b.ended).toEqual(new LeadershipLost('lease mall/shops was not renewed for 10000 ms'));
});

test('a leader election that gives up does not leave an idle process behind', async () => {
  const leaderElection = { run: () => Promise.resolve(), isLeading: () => false };
  const managed = await new Managed({ controllers: [idle], leaderElection }).start();
  expect(managed.ended).toEqual(
    new Error('the leader election must run until it is stopped, got its end'),
  );
});
