import { expect, test } from '@jest/globals';
import {
  ClientDecorator,
  type OptionOverrides,
  type ClientCall,
  type ClientCallOptions,
} from '../../client/decorator.ts';
import type { Client, ListOptions } from '../../client/client.ts';
import { type Live, scaleOf } from '../../kinds/kind.ts';

import type { Watched } from '../observed-cluster.ts';
import { NotSimulated } from '@tenantry/testing/simulation/server/errors';
import { ConfigMap, inMall, Shop, town } from '../controller/running.ts';

/** Records its calls and their answers, and adds options that the test sets. */
class Noting extends ClientDecorator {
  readonly notes: string[] = [];
  added: OptionOverrides | undefined;
  refusal: Error | undefined;

  protected override before(
    call: ClientCall,
    { dryRun }: ClientCallOptions,
  ): OptionOverrides | undefined {
    this.notes.push(`${textOf(call)}${dryRun ? ' dry' : ''}`);
    if (this.refusal) throw this.refusal;
    return this.added;
  }

  protected override after(call: ClientCall, _: ClientCallOptions, answer: Live | undefined): void {
    this.notes.push(`${call.verb} gave ${answer?.metadata.name ?? 'nothing'}`);
  }
}

function textOf({ verb, kind, name, namespace, subresource, fieldSelector, object }: ClientCall) {
  const written = object && `writes ${object.metadata.name}`;
  const parts = [verb, kind.plural, namespace, name, subresource, fieldSelector, written];
  return parts.filter((part) => part !== undefined).join(' ');
}

const object = { metadata: inMall('a') };
const selection = { namespace: 'mall', fieldSelector: 'metadata.name=a' };

const calls: [string, (client: Client) => Promise<unknown>][] = [
  ['create configmaps mall a writes a', (c) => c.create(ConfigMap, object)],
  ['get configmaps mall a', (c) => c.get(ConfigMap, inMall('a'))],
  ['list configmaps mall metadata.name=a', (c) => c.list(ConfigMap, selection)],
  ['update configmaps mall a writes a', (c) => c.update(ConfigMap, object)],
  ['patch shops mall a status', (c) => c.patch(Shop, inMall('a'), {}, status)],
  ['patch shops mall a scale', (c) => c.patch(scaleOf(Shop), inMall('a'), replicas)],
  ['patch configmaps mall a writes a dry', (c) => c.apply(ConfigMap, object, { dryRun: true })],
  ['delete configmaps mall a dry', (c) => c.delete(ConfigMap, inMall('a'), dryStatus)],
  ['delete configmaps mall a', (c) => c.delete(ConfigMap, inMall('a'))],
  ['list configmaps', (c) => c.list(ConfigMap, status as ListOptions)],
  [
    'deletecollection configmaps mall metadata.name=a',
    (c) => c.deleteCollection(ConfigMap, selection),
  ],
  ['get pods mall a log', (c) => c.podLog(inMall('a'))],
  ['get pods mall a log', async (c) => firstLine(c)],
];
const silent = new NotSimulated('the log of a pod');
const replicas = { spec: { replicas: 2 } };
const status = { subresource: 'status' };
/** Options that were built for another call. */
const dryStatus = { ...status, dryRun: true };
const firstLine = (c: Client) => c.followPodLog(inMall('a'))[Symbol.asyncIterator]().next();

test('a decorator is called before every call, and with the answers to writes', async () => {
  const cluster = town();
  cluster.put(Shop, object);
  const client = new Noting(cluster.client);
  for (const [text, call] of calls) {
    // The simulated cluster has no log for a pod.
    await call(client).catch((error: unknown) => expect([text, error]).toEqual([text, silent]));
  }
  const writes = new Set(['create', 'update', 'patch', 'delete']);
  expect(client.notes).toEqual(
    calls.flatMap(([text]) => {
      const [verb = ''] = text.split(' ');
      const gave = verb === 'delete' ? 'nothing' : 'a';
      return writes.has(verb) ? [text, `${verb} gave ${gave}`] : [text];
    }),
  );
});

test('a call rejects with the error of its decorator, and is not made', async () => {
  const cluster = town();
  const client = new Noting(cluster.client);
  client.refusal = new Error('not this one');
  for (const [, call] of calls) await expect(call(client)).rejects.toBe(client.refusal);
  expect(cluster.calls).toEqual([]);
});

test('added options override those of the call, and without them nothing changes', async () => {
  const cluster = town();
  const client = new Noting(cluster.client);
  const options = { fieldManager: 'given', timeout: 5 };
  await client.create(ConfigMap, object, options);
  client.added = { fieldManager: 'added' };
  await client.update(ConfigMap, object, options);
  await client.update(ConfigMap, object);
  await client.deleteCollection(ConfigMap, { namespace: 'mall' });
  expect(cluster.options).toEqual([
    options,
    { fieldManager: 'added', timeout: 5 },
    { fieldManager: 'added' },
    { namespace: 'mall', fieldManager: 'added' },
  ]);
  expect(cluster.options[0]).toBe(options);
});

test('a decorator is called each time a reader starts to read a watch', async () => {
  const cluster = town();
  cluster.put(ConfigMap, object);
  const opened: Watched[] = [];
  const client = new Noting(cluster.client);
  const { signal } = new AbortController();
  client.added = { signal };
  const watched = client.watch(ConfigMap, selection);
  expect([client.notes, opened]).toEqual([[], []]);
  for (let times = 0; times < 2; times += 1) {
    for await (const event of watched) {
      expect(event).toMatchObject({ type: 'ADDED', object });
      opened.push(...cluster.watched);
      break;
    }
  }
  const asked = 'watch configmaps mall metadata.name=a';
  expect([client.notes, opened]).toEqual([
    [asked, asked],
    [
      { resource: 'configmaps', ...selection, signal },
      { resource: 'configmaps', ...selection, signal },
    ],
  ]);
  client.refusal = new Error('not this one');
  const refused = client.watch(ConfigMap)[Symbol.asyncIterator];
  expect(refused).toThrow(client.refusal);
});
