import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { CacheSet } from '../../cache/cache-set.ts';
import { ApiClient } from '../../client/api-client.ts';
import { Transport } from '../../connection/transport.ts';
import { TooDeep } from '../../errors/client-errors.ts';
import { reactionTo } from '../../errors/reaction.ts';
import type { ReflectorEvent } from '../../watch/options.ts';
import { refuse, ScriptedServer } from '@tenantry/testing/faults/scripted-server';
import { until } from '@tenantry/testing/waiting/until';
import { shops } from '../watch/simulated-server.ts';

const started: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const stop of started.splice(0).toReversed()) await stop();
});

const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
/** The API server accepts objects of 10,000 levels, and JSON texts may have more. */
const depths = [10_000, 50_000] as const;

/** Returns an object as the server writes it, with managedFields as deep as `fields`. */
function shop(name: string, version: number, spec: string, fields = '{}'): string {
  const managed = `[{"manager":"m","fieldsV1":${fields}}]`;
  const metadata = `{"namespace":"n","name":"${name}","uid":"u-${name}","resourceVersion":"${version}","managedFields":${managed}}`;
  return `{"apiVersion":"example.com/v1","kind":"Shop","metadata":${metadata},"spec":${spec}}`;
}

const long = '{"size":1,"id":9223372036854775807}';

/** An API server that lists these objects in pages. The test writes the events of its watch. */
class Given {
  readonly happenings: ReflectorEvent[] = [];
  readonly errors: unknown[] = [];
  readonly notifications: string[] = [];
  watch: ServerResponse | undefined;
  lists = 0;

  async start(listed: readonly string[]) {
    const server = await ScriptedServer.start(({ url }, response) => {
      if (url.includes('sendInitialEvents')) return refuse(response, 422, 'Invalid');
      response.writeHead(200, { 'content-type': 'application/json' });
      if (url.includes('watch=true')) {
        this.watch = response;
        return response.flushHeaders();
      }
      this.lists += 1;
      response.end(`{"metadata":{"resourceVersion":"10"},"items":[${listed.join(',')}]}`);
    });
    const authorize = () => Promise.resolve({ headers: {}, tls: {} });
    const transport = new Transport({ server: server.url, authorize });
    const client = new ApiClient(transport);
    const caches = new CacheSet({
      reader: client,
      onError: (error) => this.errors.push(error),
      observe: (happening) => this.happenings.push(happening),
    });
    const { cache } = caches.open({ kind: shops });
    cache.subscribe({
      added: ({ metadata }) => this.notifications.push(`added ${metadata.name}`),
      deleted: ({ metadata }) => this.notifications.push(`deleted ${metadata.name}`),
    });
    const stop = new AbortController();
    const run = caches.run(stop.signal);
    started.push(
      () => server.stop(),
      () => transport.close(),
      () => {
        stop.abort();
        return run;
      },
    );
    await cache.synced;
    await until('it watches', () => this.watch !== undefined);
    return { cache, client, caches };
  }

  tell(type: string, object: string): void {
    this.watch!.write(`{"type":"${type}","object":${object}}\n`);
  }
}

const namesOf = (objects: readonly { metadata: { name: string } }[]): string[] =>
  objects.map(({ metadata }) => metadata.name).toSorted();

test.each(depths)(
  'if a list has an object of %i levels, all others are read, and the cache knows that it exists',
  async (depth) => {
    const given = new Given();
    const hostile = shop('hostile', 2, nested(depth), nested(depth));
    const { cache, caches } = await given.start([shop('a', 1, long), hostile, shop('b', 3, long)]);
    expect(namesOf(cache.list())).toEqual(['a', 'b']);
    expect(cache.get({ namespace: 'n', name: 'b' })?.spec).toEqual({
      size: 1,
      id: 9223372036854775807n,
    });
    expect(cache.unreadable.map(({ metadata, error }) => [metadata, error.message])).toEqual([
      [
        { namespace: 'n', name: 'hostile', uid: 'u-hostile', resourceVersion: '2' },
        'the answer must be nested at most 500 deep, got more',
      ],
    ]);
    expect([...caches.sizes()]).toMatchObject([{ objects: 2, unreadable: 1 }]);
    expect(given.happenings).toContainEqual({
      type: 'unreadable',
      key: 'n/hostile',
      error: expect.any(TooDeep),
    });
    expect([given.errors, given.lists]).toEqual([[], 1]);
    expect(cache.outage).toBeUndefined();
  },
);

test.each(depths)(
  'an object that grows to %i levels keeps its last readable state until it can be read again or is gone',
  async (depth) => {
    const given = new Given();
    const { cache } = await given.start([shop('a', 1, '{"size":1}')]);
    const sizeOf = (name: string) => cache.get({ namespace: 'n', name })?.spec.size;
    given.tell('MODIFIED', shop('a', 11, nested(depth)));
    given.tell('ADDED', shop('new', 12, nested(depth)));
    given.tell('ADDED', shop('b', 13, '{"size":3}'));
    await until('the object after them is received', () => sizeOf('b') === 3);
    expect([sizeOf('a'), namesOf(cache.unreadable)]).toEqual([1, ['a', 'new']]);

    given.tell('MODIFIED', shop('a', 14, '{"size":4}'));
    given.tell('DELETED', shop('new', 15, nested(depth)));
    given.tell('MODIFIED', shop('b', 16, nested(depth)));
    given.tell('DELETED', shop('b', 17, nested(depth)));
    await until('it is gone', () => given.notifications.includes('deleted b'));
    expect([sizeOf('a'), sizeOf('b'), namesOf(cache.unreadable)]).toEqual([4, undefined, []]);
    expect(given.notifications).toEqual(['added a', 'added b', 'deleted b']);
    expect([given.errors, given.lists]).toEqual([[], 1]);
  },
);

test('managedFields that are nested too deep do not prevent an object from being read', async () => {
  const given = new Given();
  const { cache } = await given.start([shop('a', 1, '{"size":1}', nested(10_000))]);
  given.tell('ADDED', shop('b', 11, '{"size":2}', nested(10_000)));
  await until('b is received', () => cache.get({ namespace: 'n', name: 'b' }));
  expect([namesOf(cache.list()), cache.unreadable]).toEqual([['a', 'b'], []]);
});

test('an unreadable object that is missing from a later list is forgotten', async () => {
  const given = new Given();
  const listed = [shop('a', 1, '{"size":1}'), shop('hostile', 2, nested(10_000))];
  const { cache } = await given.start(listed);
  expect(namesOf(cache.unreadable)).toEqual(['hostile']);
  listed.pop();
  given.tell('ERROR', '{"kind":"Status","status":"Failure","reason":"Expired","code":410}');
  await until(
    'all objects are listed again',
    () => given.lists === 2 && cache.unreadable.length === 0,
  );
  expect(namesOf(cache.list())).toEqual(['a']);
});

test('a client that reads such an object or a list of it gets an error that is not retried', async () => {
  const text = shop('a', 1, nested(10_000));
  const server = await ScriptedServer.start(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (url.includes('watch=true')) response.end(`{"type":"ADDED","object":${text}}\n`);
    else if (url.endsWith('/a')) response.end(text);
    else response.end(`{"metadata":{"resourceVersion":"1"},"items":[${text}]}`);
  });
  started.push(() => server.stop());
  const authorize = () => Promise.resolve({ headers: {}, tls: {} });
  const transport = new Transport({ server: server.url, authorize });
  started.push(() => transport.close());
  const client = new ApiClient(transport);
  const watching = async () => {
    for await (const _ of client.watch(shops)) throw new Error('an event was received');
  };
  for (const reading of [
    () => client.get(shops, { namespace: 'n', name: 'a' }),
    () => client.list(shops),
    watching,
  ]) {
    const error = await reading().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(TooDeep);
    expect((error as TooDeep).request).toMatch(/^GET \/apis\/example\.com\/v1\//);
    expect(reactionTo(error)).toBe('give up');
  }
});
