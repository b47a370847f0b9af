import { afterAll, expect } from '@jest/globals';
import {
  electionForLifeAccess,
  leaseElectionAccess,
  buildRoles,
  type AccessRule,
} from '@tenantry/kube/access';
import { allow } from '@tenantry/runtime/access/grant';
import { ApiClient } from '@tenantry/runtime/client/api-client';
import type { Client } from '@tenantry/runtime/client/client';
import { createSleep, systemClock, type Clock } from '@tenantry/runtime/clock/clock';
import { Transport } from '@tenantry/runtime/connection/transport';
import { Lease } from '@tenantry/runtime/kinds/coordination';
import { ConfigMap, Pod } from '@tenantry/runtime/kinds/core';
import type { Election } from '@tenantry/runtime/leader/election';
import { electionForLife } from '@tenantry/runtime/leader/election-for-life';
import {
  createFencedClient,
  LeadershipLost,
  NotLeading,
} from '@tenantry/runtime/leader/leader-election';
import { leaseElection } from '@tenantry/runtime/leader/lease-election';
import type { AuditEntry } from '@tenantry/testing/controlplane/cluster';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { Account, ASKED_BY_ADMISSION } from './accounts.ts';
import { silent } from '@tenantry/runtime/test/leader/candidate';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';

const given = await sharedCluster();
const { test } = given;
const endings: (() => unknown)[] = [];
afterAll(() => Promise.all(endings.map((end) => end())));

const rbac = 'rbac.authorization.k8s.io';
const timing = { leaseDuration: 6000, renewDeadline: 4000, retryPeriod: 500 };

function clientOf(user = given.cluster.admin): Client {
  const transport = new Transport(connectionOfUser(user));
  endings.push(() => transport.close());
  return new ApiClient(transport);
}

/** Grants a user these rules in a namespace, and returns a function that revokes them. */
async function staff(
  user: string,
  namespace: string,
  rules: readonly AccessRule[],
): Promise<() => Promise<unknown>> {
  const { cluster, namespaces } = buildRoles(rules);
  expect([cluster, [...namespaces.keys()]]).toEqual([[], [namespace]]);
  const metadata = { name: uniqueName('role'), namespace };
  const role = {
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata,
    rules: namespaces.get(namespace),
  };
  const binding = {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata,
    roleRef: { apiGroup: rbac, kind: 'Role', name: metadata.name },
    subjects: [{ apiGroup: rbac, kind: 'User', name: user }],
  };
  for (const object of [role, binding]) {
    const { status, body } = await given.cluster.admin.create(object);
    if (status !== 201) throw new Error(body.message);
  }
  const { apiVersion, kind } = binding;
  return () => given.cluster.admin.delete({ apiVersion, kind, ...metadata });
}

/** A replica that writes a ConfigMap of its own as often as it can while it leads. */
class Replica {
  readonly name: string;
  readonly election: Election;
  readonly #client: Client;
  readonly #namespace: string;
  readonly #stop = new AbortController();
  readonly run: Promise<unknown>;
  writes = 0;

  constructor(name: string, namespace: string, client: Client, election: Election) {
    this.name = name;
    this.election = election;
    this.#client = createFencedClient(client, election);
    this.#namespace = namespace;
    this.run = election
      .run((leading) => this.#work(leading), this.#stop.signal)
      .then(
        () => 'stopped',
        (error: unknown) => error,
      );
    endings.push(() => this.stop());
  }

  stop(): Promise<unknown> {
    this.#stop.abort();
    return this.run;
  }

  async #work(leading: AbortSignal): Promise<void> {
    const metadata = { name: this.name, namespace: this.#namespace };
    while (!leading.aborted && !this.#stop.signal.aborted) {
      const data = { writes: String(this.writes) };
      try {
        await this.#client.apply(ConfigMap, { metadata, data });
        this.writes += 1;
      } catch (error) {
        // The replica is no longer certain to lead: the signal follows if the lead is lost, otherwise the next turn
        // can write.
        if (!(error instanceof NotLeading)) throw error;
        await systemClock.sleep(50, leading).catch(() => undefined);
      }
    }
  }
}

const worker = (namespace: string): AccessRule[] => [
  allow(ConfigMap, 'create', 'patch').in(namespace),
];

/** Returns the successful writes of a resource by the user, the oldest first. */
function writtenBy(user: string, resource: string): AuditEntry[] {
  return given.cluster
    .auditLog()
    .filter(({ verb }) => verb !== 'get')
    .filter((entry) => entry.user.username === user && entry.objectRef?.resource === resource)
    .filter(({ responseStatus }) => (responseStatus?.code ?? 500) < 300);
}

const receivedAt = (entry: AuditEntry | undefined): number =>
  new Date(entry?.requestReceivedTimestamp ?? Number.NaN).getTime();

test('a leader that cannot renew writes nothing after the deadline, and another replica leads', async () => {
  const namespace = await newNamespace(given.cluster, 'leader');
  const lease = { name: 'operator', namespace };
  const deps = { clock: systemClock, random: Math.random, log: silent };
  const started = async (): Promise<{ replica: Replica; revoke: () => Promise<unknown> }> => {
    const user = uniqueName('replica');
    await staff(user, namespace, worker(namespace));
    const revoke = await staff(user, namespace, leaseElectionAccess(lease));
    const client = clientOf(given.cluster.user(user));
    const election = leaseElection({ ...deps, ...timing, client, lease });
    return { replica: new Replica(user, namespace, client, election), revoke };
  };
  const a = await started();
  await until('the first replica leads', () => a.replica.writes > 0);
  const b = await started();
  await a.revoke();
  await until('the second replica leads', () => b.replica.writes > 0);
  expect(await a.replica.run).toBeInstanceOf(LeadershipLost);
  expect(await b.replica.stop()).toBe('stopped');
  const renewed = receivedAt(writtenBy(a.replica.name, 'leases').at(-1));
  const taken = receivedAt(writtenBy(b.replica.name, 'leases')[0]);
  const last = receivedAt(writtenBy(a.replica.name, 'configmaps').at(-1));
  const first = receivedAt(writtenBy(b.replica.name, 'configmaps')[0]);
  // The write was sent before the deadline; a busy machine receives it later.
  expect(last - renewed).toBeLessThan(timing.renewDeadline + 1000);
  expect(taken - renewed).toBeGreaterThan(timing.leaseDuration - 100);
  expect(first).toBeGreaterThan(taken);
  const { spec } = await clientOf().get(Lease, lease);
  expect(spec).toMatchObject({ holderIdentity: '', leaseTransitions: 1 });
});

test('a replica that stops hands over the lead, and writes nothing after that', async () => {
  const namespace = await newNamespace(given.cluster, 'leader');
  const lease = { name: 'operator', namespace };
  const deps = { clock: systemClock, random: Math.random, log: silent };
  const started = async (): Promise<Replica> => {
    const user = uniqueName('replica');
    await staff(user, namespace, [...worker(namespace), ...leaseElectionAccess(lease)]);
    const client = clientOf(given.cluster.user(user));
    const election = leaseElection({ ...deps, ...timing, leaseDuration: 60_000, client, lease });
    return new Replica(user, namespace, client, election);
  };
  const a = await started();
  await until('the first replica leads', () => a.writes > 0);
  const b = await started();
  await until('the second one knows', () => b.election.holder === a.election.holder);
  expect(await a.stop()).toBe('stopped');
  await until('the second replica leads', () => b.writes > 0);
  const released = receivedAt(writtenBy(a.name, 'leases').at(-1));
  expect(receivedAt(writtenBy(a.name, 'configmaps').at(-1))).toBeLessThan(released);
  expect(receivedAt(writtenBy(b.name, 'leases')[0])).toBeGreaterThan(released);
  expect(await b.stop()).toBe('stopped');
});

/** A clock that runs ten times as fast. */
const tenfold: Clock = {
  now: () => systemClock.now() * 10,
  date: () => new Date(Date.now() * 10),
  after: (milliseconds, run) => systemClock.after(milliseconds / 10, run),
  sleep: createSleep((milliseconds, run) => systemClock.after(milliseconds / 10, run)),
};

test('another Pod takes over the lead of an evicted Pod', async () => {
  const namespace = await newNamespace(given.cluster, 'leader');
  const lease = { name: 'operator', namespace };
  const admin = clientOf();
  const deps = { clock: tenfold, random: Math.random, log: silent };
  const access = [...worker(namespace), ...electionForLifeAccess(lease)];
  const account = await Account.make(given.cluster, namespace, access);
  const started = async (pod: string): Promise<Replica> => {
    const containers = [{ name: 'main', image: 'example.com/operator' }];
    // No scheduler assigns the Pod to a node, so only this test changes its status.
    const spec = { containers, schedulerName: 'nobody' };
    await admin.create(Pod, { metadata: { name: pod, namespace }, spec });
    const client = clientOf(account.client);
    const election = electionForLife({ ...deps, client, lease, pod });
    return new Replica(pod, namespace, client, election);
  };
  const a = await started('a');
  await until('the first replica leads', () => a.writes > 0);
  const b = await started('b');
  await until('the second one knows', () => b.election.holder === 'a');
  const status = { phase: 'Failed', reason: 'Evicted' } as const;
  await admin.patch(Pod, { name: 'a', namespace }, { status }, { subresource: 'status' });
  await until('the second replica leads', () => b.writes > 0);
  expect(await a.run).toEqual(new LeadershipLost(`lease ${namespace}/operator is held by b`));
  const { spec, metadata } = await admin.get(Lease, lease);
  expect([spec?.holderIdentity, metadata.ownerReferences?.map(({ name }) => name)]).toEqual([
    'b',
    ['b'],
  ]);
  const written = Map.groupBy(
    writtenBy(account.user, 'configmaps'),
    ({ objectRef }) => objectRef?.name,
  );
  const last = receivedAt(written.get('a')?.at(-1));
  expect(receivedAt(written.get('b')?.[0])).toBeGreaterThan(last);
  expect(await b.stop()).toBe('stopped');
  expect((await admin.get(Lease, lease)).spec?.holderIdentity).toBe('');
  await account.expectExactAccess([
    [allow(Lease, 'delete').named('operator').in(namespace), ASKED_BY_ADMISSION],
  ]);
});
