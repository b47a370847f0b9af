import { afterAll, expect } from '@jest/globals';
import { restrictClient } from '@tenantry/runtime/access/restricted-client';
import { systemClock } from '@tenantry/runtime/clock/clock';
import type { EventInput, LostEvent } from '@tenantry/runtime/events/event';
import { eventAccess, Events } from '@tenantry/runtime/events/events';
import { Event } from '@tenantry/runtime/kinds/events';
import type { Live } from '@tenantry/runtime/kinds/kind';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { RuntimeClients } from './runtime-clients.ts';

const given = await sharedCluster();
const { test } = given;
const clients = new RuntimeClients();
afterAll(() => clients.close());

/** Records events, and returns the events that the server then has, and the lost ones. */
async function recorded(
  controller: string,
  inputs: readonly (Partial<EventInput> & Pick<EventInput, 'regarding'>)[],
): Promise<{ readonly events: Live<typeof Event>[]; readonly lost: readonly LostEvent[] }> {
  const lost: LostEvent[] = [];
  const client = clients.of(given.cluster.admin);
  const events = new Events({
    client: restrictClient(client, eventAccess, 'events'),
    clock: systemClock,
    random: Math.random,
    instance: 'pod-1',
    observer: { lost: (one) => lost.push(one) },
  });
  const recorder = events.recorder(controller);
  for (const one of inputs) {
    recorder.record({ type: 'Normal', reason: 'A', action: 'B', note: 'c', ...one });
  }
  await events.stop(30_000);
  const fieldSelector = `reportingController=${controller}`;
  const { items } = await client.list(Event, { fieldSelector });
  return { events: [...items], lost };
}

const pod = (namespace: string, name = 'web') => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, uid: 'f3ad3c2c-0a6f-4f0e-8a4f-1f8c3d6f0c7a', resourceVersion: '7' },
});

test('events of all shapes are accepted, in the namespaces where users look for them', async () => {
  const namespace = await newNamespace(given.cluster, 'events');
  const controller = `example.com/${uniqueName('shapes')}`;
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };
  const { events, lost } = await recorded(controller, [
    { regarding: pod(namespace) },
    { regarding: pod(namespace, 'x'.repeat(253)), type: 'Warning', fieldPath: 'spec' },
    { regarding: { ...role, metadata: { name: 'system:Reader' } }, related: pod(namespace) },
    { regarding: pod(namespace), note: '\u{1F40B}'.repeat(500), reason: 'r'.repeat(128) },
    { regarding: pod(namespace), note: 'lone \ud800', action: '\u00e9'.repeat(64) },
    { regarding: pod(namespace), note: '' },
  ]);
  expect(lost).toEqual([]);
  expect(events.map((one) => [one.metadata.namespace, one.regarding?.name]).toSorted()).toEqual(
    [
      [namespace, 'web'],
      [namespace, 'x'.repeat(253)],
      ['default', 'system:Reader'],
      [namespace, 'web'],
      [namespace, 'web'],
      [namespace, 'web'],
    ].toSorted(),
  );
  expect(events.find(({ note }) => note?.startsWith('\u{1F40B}'))?.note).toBe(
    `${'\u{1F40B}'.repeat(255)}...`,
  );
});

test('a repeated event is a series in one object, even if it was written before', async () => {
  const namespace = await newNamespace(given.cluster, 'events');
  const controller = uniqueName('series');
  const client = clients.of(given.cluster.admin);
  let written = Promise.withResolvers<void>();
  const events = new Events({
    client,
    clock: systemClock,
    random: Math.random,
    instance: 'pod-1',
    observer: { written: () => written.resolve(), lost: ({ error }) => written.reject(error) },
  });
  const recorder = events.recorder(controller);
  const say = () =>
    recorder.record({
      type: 'Normal',
      reason: 'A',
      action: 'B',
      note: 'c',
      regarding: pod(namespace),
    });
  for (let times = 0; times < 2; times += 1) {
    say();
    await written.promise;
    written = Promise.withResolvers();
  }
  say();
  await events.stop();
  const { items } = await client.list(Event, { namespace });
  expect(items.map(({ series, note }) => [note, series?.count])).toEqual([['c', 3]]);
});

test('a recorder without the right to write events loses them, and reports why', async () => {
  const namespace = await newNamespace(given.cluster, 'events');
  const lost: LostEvent[] = [];
  const events = new Events({
    client: clients.of(given.cluster.user(uniqueName('nobody'))),
    clock: systemClock,
    random: Math.random,
    instance: 'pod-1',
    observer: { lost: (one) => lost.push(one) },
  });
  const fields = { type: 'Normal', reason: 'A', action: 'B', note: 'c' } as const;
  events.recorder('shops').record({ ...fields, regarding: pod(namespace) });
  await events.stop();
  expect(lost.map(({ cause }) => cause)).toEqual(['refused']);
  expect(String(lost[0]?.error)).toContain('cannot create resource "events"');
});
