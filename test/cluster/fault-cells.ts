import type { Client } from '@tenantry/runtime/client/client';
import { systemClock } from '@tenantry/runtime/clock/clock';
import type { Connection } from '@tenantry/runtime/connection/connection';
import { ConfigMap, Secret } from '@tenantry/runtime/kinds/core';
import { UnsteadyClock } from '@tenantry/testing/clock/unsteady-clock';
import { until } from '@tenantry/testing/waiting/until';
import type { Fault } from '@tenantry/testing/faults/fault';
import {
  isList,
  isStreamedList,
  isWatch,
  isWrite,
  of,
  type Matches,
} from '@tenantry/testing/faults/requests';
import { FaultyProxy } from '@tenantry/testing/faults/faulty-proxy';
import { Operator } from '../soak/operator.ts';
import { inventoryController, shopController, shopOf, townIn, unsettled } from '../soak/shops.ts';

/**
 * The requests that meet the fault: lists in pages, as servers without WatchList send them, lists in a stream,
 * watches or writes.
 */
export type Target = 'pages' | 'stream' | 'watch' | 'write';

/**
 * A fault of the kit, planned for requests. The promise of `plan` is fulfilled when one of them has met the fault.
 */
export interface CellFault {
  readonly name: string;
  /** @default - all */
  readonly targets?: readonly Target[];
  plan(cell: Cell, matches: Matches): Promise<unknown>;
}

/** A small town of shops whose operator meets one fault. */
export interface Cell {
  readonly namespace: string;
  readonly proxy: FaultyProxy;
  readonly clock: UnsteadyClock;
  readonly operator: Operator;
  /** The resource version from before the first shop existed. */
  readonly version: string;
}

const minutes = 60_000;

const plain = (name: string, fault: Fault, targets?: readonly Target[]): CellFault => ({
  name,
  ...(targets && { targets }),
  plan: ({ proxy }, matches) => proxy.next(fault, matches),
});

const crash = (at: 'before' | 'after'): CellFault => ({
  name: `a crash ${at} it arrives`,
  plan: async ({ proxy, operator }, matches) => {
    await proxy.next({ kind: 'crash', at }, matches);
    // Of two simultaneous requests, only one triggers the crash.
    if (proxy.isDown) await operator.crashed();
  },
});

const refuse = (status: number, reason: string, retryAfter?: number): CellFault =>
  plain(`${status} ${reason}`, { kind: 'refuse', status, reason, retryAfter });

/** Every fault of the kit. */
export const cellFaults: readonly CellFault[] = [
  plain('reset', { kind: 'reset' }),
  plain('hang', { kind: 'hang' }),
  refuse(410, 'Expired'),
  refuse(429, 'TooManyRequests', 2),
  refuse(500, 'InternalError'),
  refuse(503, 'ServiceUnavailable', 1),
  plain('an invalid answer', { kind: 'answer', text: '<html>' }),
  plain('a lost answer', { kind: 'lose' }),
  plain('a cut after the head', { kind: 'cut', after: 0 }),
  plain('a cut in the middle', { kind: 'cut', after: 400 }),
  plain('silence in the middle', { kind: 'stall', after: 400 }),
  plain('a delay', { kind: 'delay', milliseconds: 700 }),
  plain('a trickle', { kind: 'trickle', bytes: 100, every: 2 }),
  plain('events twice', { kind: 'repeat' }, ['stream', 'watch']),
  plain('old states', { kind: 'stale' }, ['stream', 'watch']),
  {
    name: 'the past',
    targets: ['pages', 'watch'],
    plan: ({ proxy, version }, matches) =>
      proxy.next({ kind: 'past', resourceVersion: version }, matches),
  },
  crash('before'),
  crash('after'),
  {
    name: 'clocks that jump',
    plan: async ({ proxy, clock }, matches) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      await proxy.next({ kind: 'hold', until: promise }, matches);
      clock.jump(60 * minutes);
      clock.putDate(-120 * minutes);
      resolve();
    },
  },
];

const requests: Readonly<Record<Target, readonly Matches[]>> = {
  pages: [of(ConfigMap, isList), of(Secret, isList)],
  // After a stream that was silent for long, lists are requested in pages.
  stream: [ConfigMap, Secret].map((kind) =>
    of(kind, (received) => isStreamedList(received) || isList(received)),
  ),
  watch: [ConfigMap, Secret].map((kind) =>
    of(kind, (received) => isWatch(received) && !isStreamedList(received)),
  ),
  write: [
    of(ConfigMap, isWrite),
    ...['POST', 'PATCH', 'DELETE'].map((method) =>
      of(Secret, (received) => received.method === method),
    ),
  ],
};

const expired = JSON.stringify({
  type: 'ERROR',
  object: { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' },
});

/** Exposes the operator of a town to the fault, and reports what it missed, did twice or left behind. */
export async function faultCell(
  { connection, client, namespace }: CellGround,
  fault: CellFault,
  target: Target,
): Promise<string[]> {
  const { resourceVersion: version } = await client.list(ConfigMap, { namespace, limit: 1 });
  const proxy = await FaultyProxy.start(connection);
  // A request has half a minute of real time: as long as a busy API server takes for an answer.
  const clock = new UnsteadyClock({ clock: systemClock, rate: 10 });
  const operator = new Operator({
    proxy,
    clock,
    controllers: (events) => [
      shopController(namespace, events),
      inventoryController(namespace, events),
    ],
  });
  const cell: Cell = { namespace, proxy, clock, operator, version };
  const plan = (): Promise<unknown> =>
    Promise.all(requests[target].map((matches) => fault.plan(cell, matches)));
  try {
    return await live(cell, client, target, plan);
  } catch (error) {
    return [String(error), ...operator.log.slice(-20)];
  } finally {
    await operator.stop();
    await proxy.stop();
  }
}

/** The namespace and the connections of a cell. */
export interface CellGround {
  /** The operator's connection to the API server. */
  readonly connection: Connection;
  /** The client of the test, whose requests meet no fault. */
  readonly client: Client;
  readonly namespace: string;
}

async function live(
  { namespace, proxy, clock, operator }: Cell,
  client: Client,
  target: Target,
  plan: () => Promise<unknown>,
): Promise<string[]> {
  const isList = target === 'pages' || target === 'stream';
  const open = (name: string, size: number): Promise<unknown> =>
    client.create(ConfigMap, shopOf(namespace, name, size));
  const change = (name: string, data: Record<string, string>): Promise<unknown> =>
    client.patch(ConfigMap, { namespace, name }, { data });
  const close = (name: string): Promise<unknown> => client.delete(ConfigMap, { namespace, name });

  if (target === 'pages') {
    proxy.always({ kind: 'refuse', status: 422, reason: 'Invalid' }, isStreamedList);
  }
  await Promise.all([open('a', 1), open('b', 1), open('c', 1)]);
  const atStart = isList ? plan() : undefined;
  operator.start();
  await inTime(atStart);
  await untilSettled(client, namespace);

  const met = plan();
  if (target === 'watch') proxy.end(isWatch);
  if (isList) proxy.insert(`${expired}\n`, isWatch);
  await Promise.all([change('a', { size: '2' }), close('b'), open('d', 1)]);
  await Promise.all([change('c', { size: '2' }), change('d', { size: '5' })]);
  await inTime(met);
  await untilSettled(client, namespace);

  await Promise.all([change('c', { isClosed: 'true' }), change('a', { size: '3' }), open('b', 7)]);
  await untilSettled(client, namespace);
  await operator.stop();
  return [
    ...operator.problems,
    ...madeTwice(operator),
    ...(await leftBehind(proxy, clock)),
    ...(operator.notificationCount > 0 ? [] : ['no handler was called']),
  ];
}

/** Waits until the planned fault was met, and fails after a timeout. */
async function inTime(met: Promise<unknown> | undefined): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = systemClock.after(120_000, () => reject(new Error('a fault was not met')));
  await Promise.race([met, promise]).finally(cancel);
}

async function untilSettled(client: Client, namespace: string): Promise<void> {
  let last: string[] = [];
  const isSettled = async (): Promise<boolean> => {
    last = unsettled(await townIn(client, namespace), false);
    return last.length === 0;
  };
  await until('the town is settled', isSettled).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${last.join('; ')}`);
  });
}

/** How many tills of each name may have been created. */
const mostTills: Readonly<Record<string, number>> = { a: 1, b: 2, c: 1, d: 1 };

function madeTwice({ made }: Operator): string[] {
  return [...made].flatMap(([key, uids]) => {
    const most = key.startsWith('Secret ') ? (mostTills[key.replace(/^.*\//, '')] ?? 0) : 2;
    return uids.size > most ? [`${key} was made ${uids.size} times`] : [];
  });
}

function openIn(proxy: FaultyProxy): string[] {
  const open: string[] = [];
  proxy.open(({ method, url }) => open.push(`${method} ${url}`) > 0);
  return open;
}

/** Returns what is open or pending although the operator has stopped. */
async function leftBehind(proxy: FaultyProxy, clock: UnsteadyClock): Promise<string[]> {
  const isOver = () => proxy.open() === 0 && proxy.openConnections === 0 && clock.waiting === 0;
  return until('nothing is left behind', isOver).then(
    () => [],
    (error: unknown) => [
      `${String(error)}: ${proxy.open()} answers, ${proxy.openConnections} connections, ${clock.waiting} timers`,
      ...openIn(proxy),
    ],
  );
}
