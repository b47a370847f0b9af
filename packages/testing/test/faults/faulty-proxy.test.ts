import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { connectionTo } from '@tenantry/runtime/connection/connection';
import { until } from '../../waiting/until.ts';
import type { Fault } from '../../faults/fault.ts';
import { isList, isWatch, isWrite, nth } from '../../faults/requests.ts';
import { FaultyProxy } from '../../faults/faulty-proxy.ts';
import { reply, ScriptedServer } from '../../faults/scripted-server.ts';
import { VirtualClock } from '../../clock/virtual-clock.ts';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

/** A server that answers lists and writes immediately and watches as the test decides, behind a faulty proxy. */
async function given() {
  const clock = new VirtualClock();
  const watches: ServerResponse[] = [];
  const server = await ScriptedServer.start((received, response) => {
    if (!isWatch(received)) return reply(response, { answer: 'whole' });
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    watches.push(response);
  });
  const connection = connectionTo({ server: server.url, token: 'secret' });
  const proxy = await FaultyProxy.start(connection, { clock });
  endings.push(
    () => server.stop(),
    () => proxy.stop(),
  );
  const ask = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(proxy.connection.server + path, init);
  const list = (): Promise<string> => ask(listPath).then((answer) => answer.text());
  const write = (): Promise<string> =>
    ask(listPath, { method: 'POST', body: '{"a":"ä"}' }).then((answer) => answer.text());
  /** Opens a watch. `tell` writes a line to it; `streamed` is everything it delivered when its server ended it. */
  const watch = async () => {
    const answer = await ask(`${listPath}?watch=true&resourceVersion=7`);
    const tell = (line: string): unknown => watches.at(-1)?.write(line);
    const end = (): unknown => watches.at(-1)?.end();
    return { streamed: answer.text(), tell, end };
  };
  return { clock, server, proxy, ask, list, write, watch };
}

const listPath = '/api/v1/configmaps';
const whole = '{"answer":"whole"}';
const broken = 'broken';
const orBroken = (answer: Promise<string>): Promise<string> => answer.catch(() => broken);

function line(type: string, name: string, resourceVersion: string): string {
  return `${JSON.stringify({ type, object: { metadata: { name, resourceVersion } } })}\n`;
}

test('without a plan every request passes with the credentials of the connection', async () => {
  const { server, proxy, list, write, watch } = await given();
  expect(await list()).toBe(whole);
  expect(await write()).toBe(whole);
  const { streamed, tell, end } = await watch();
  tell(line('ADDED', 'a', '8'));
  end();
  expect(await streamed).toBe(line('ADDED', 'a', '8'));
  expect(server.received.map(({ method, body }) => `${method} ${body}`.trim())).toEqual([
    'GET',
    'POST {"a":"ä"}',
    'GET',
  ]);
  expect(server.received[1]?.headers.authorization).toBe('Bearer secret');
  expect(proxy.received[1]?.headers.authorization).toBeUndefined();
  expect([proxy.open(), proxy.openConnections > 0]).toEqual([0, true]);
});

const answers: [Fault, answer: string, arrives: number][] = [
  [{ kind: 'reset' }, broken, 0],
  [{ kind: 'answer', text: '<html>' }, '<html>', 0],
  [{ kind: 'lose' }, broken, 1],
  [{ kind: 'cut', after: 0 }, broken, 1],
  [{ kind: 'cut', after: 5 }, broken, 1],
  [{ kind: 'cut', after: 500 }, broken, 1],
  [{ kind: 'repeat' }, whole, 1],
  [{ kind: 'stale' }, whole, 1],
];

test.each(answers)(
  'after %j the answer is %s and %d request(s) arrived; the next request passes',
  async (...row) => {
    const [fault, answer, arrives] = row;
    const { server, proxy, list, write } = await given();
    for (const ask of [list, write]) {
      const before = server.received.length;
      const met = proxy.next(fault);
      expect(await orBroken(ask())).toBe(answer);
      expect([(await met).url, server.received.length - before]).toEqual([listPath, arrives]);
      expect(await ask()).toBe(whole);
    }
  },
);

test('a refusal looks like one of an API server and names the time to retry after', async () => {
  const { server, proxy, ask } = await given();
  void proxy.next({ kind: 'refuse', status: 429, reason: 'TooManyRequests', retryAfter: 3 });
  const refused = await ask(listPath);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
  expect(await refused.json()).toMatchObject({ kind: 'Status', reason: 'TooManyRequests' });
  void proxy.next({ kind: 'refuse', status: 410, reason: 'Expired' });
  const expired = await ask(listPath);
  expect([expired.status, expired.headers.get('retry-after')]).toEqual([410, null]);
  expect(server.received).toEqual([]);
});

test('a hanging request never arrives, and a held one arrives when it is released', async () => {
  const { server, proxy, ask, list } = await given();
  const controller = new AbortController();
  const met = proxy.next({ kind: 'hang' });
  const hanging = ask(listPath, { signal: controller.signal }).catch(() => broken);
  await met;
  const release = Promise.withResolvers<void>();
  const holding = proxy.next({ kind: 'hold', until: release.promise });
  const held = list();
  await holding;
  expect(await list()).toBe(whole);
  expect(server.received).toHaveLength(1);
  release.resolve();
  expect(await held).toBe(whole);
  controller.abort();
  expect([await hanging, server.received.length]).toEqual([broken, 2]);
});

test('a slow answer begins late or arrives in pieces', async () => {
  const { clock, proxy, ask } = await given();
  void proxy.next({ kind: 'delay', milliseconds: 5000 });
  let isThere = false;
  const late = ask(listPath).then((answer) => {
    isThere = true;
    return answer.text();
  });
  await until('it is held back', () => clock.waiting === 1);
  await clock.advance(4999);
  expect(isThere).toBe(false);
  await clock.advance(1);
  expect(await late).toBe(whole);
  void proxy.next({ kind: 'trickle', bytes: 4, every: 100 });
  const pieces: number[] = [];
  const reader = (await ask(listPath)).body!.getReader();
  for (;;) {
    await until('a piece waits', () => clock.waiting === 1 || pieces.length === 5);
    await clock.advance(100);
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value.length);
  }
  expect(pieces).toEqual([4, 4, 4, 4, 2]);
});

test('a stalled answer sends no more data and keeps its connection open', async () => {
  const { clock, proxy, ask } = await given();
  void proxy.next({ kind: 'stall', after: 7 });
  const controller = new AbortController();
  const reader = (await ask(listPath, { signal: controller.signal })).body!.getReader();
  expect((await reader.read()).value).toHaveLength(7);
  const next = reader.read().catch(() => broken);
  await clock.advance(3_600_000);
  expect(await Promise.race([next, 'nothing'])).toBe('nothing');
  expect(proxy.open()).toBe(1);
  controller.abort();
  expect(await next).toBe(broken);
  await until('it is over', () => proxy.open() === 0 && clock.waiting === 0);
});

const events = [
  line('ADDED', 'a', '8'),
  line('ADDED', 'b', '9'),
  line('BOOKMARK', '', '10'),
  line('MODIFIED', 'a', '11'),
  line('DELETED', 'a', '12'),
];
const [a8, b9, bookmark, a11, a12] = events;

test.each<[string, Fault, (string | undefined)[]]>([
  ['delivered twice', { kind: 'repeat' }, events.flatMap((one) => [one, one])],
  ['delivered again later', { kind: 'stale' }, [a8, b9, bookmark, a11, a8, a12, a11]],
])('events of a watch are %s, however the chunks are cut', async (_, fault, expected) => {
  const { proxy, watch } = await given();
  void proxy.next(fault);
  const { streamed, tell, end } = await watch();
  const all = events.join('');
  for (const part of [all.slice(0, 70), all.slice(70, 75), all.slice(75)]) tell(part);
  end();
  expect(await streamed).toBe(expected.join(''));
});

test('the fault "past" rewrites lists and watches, and no other request', async () => {
  const { server, proxy, ask } = await given();
  const forget = proxy.always({ kind: 'past', resourceVersion: '3' });
  const paths = [
    listPath,
    `${listPath}?limit=5`,
    `${listPath}?limit=5&continue=abc`,
    '/api/v1/namespaces/n/configmaps/a?x=y',
  ];
  for (const path of paths) await (await ask(path)).text();
  for (const how of ['resourceVersion=7', 'sendInitialEvents=true']) {
    const { body } = await ask(`${listPath}?watch=true&${how}`);
    await body?.cancel();
  }
  forget();
  await (await ask(listPath)).text();
  expect(server.received.map(({ url }) => url)).toEqual([
    `${listPath}?resourceVersion=3&resourceVersionMatch=Exact`,
    `${listPath}?limit=5&resourceVersion=3&resourceVersionMatch=Exact`,
    ...paths.slice(2),
    `${listPath}?watch=true&resourceVersion=3`,
    `${listPath}?watch=true&sendInitialEvents=true`,
    listPath,
  ]);
});

test.each([
  ['before', 2],
  ['after', 3],
] as const)(
  'a crash %s the third write lets %d write(s) arrive, then nothing',
  async (at, arrive) => {
    const { server, proxy, list, write, watch } = await given();
    const crashed = proxy.next({ kind: 'crash', at }, nth(3, isWrite));
    const { streamed } = await watch();
    const isOver = orBroken(streamed);
    for (let count = 0; count < 2; count += 1) expect(await write()).toBe(whole);
    expect([await list(), proxy.isDown]).toEqual([whole, false]);
    expect(await orBroken(write())).toBe(broken);
    expect(isWrite(await crashed)).toBe(true);
    expect([await isOver, await orBroken(list()), await orBroken(write())]).toEqual([
      broken,
      broken,
      broken,
    ]);
    expect([proxy.isDown, server.received.filter(isWrite).length]).toEqual([true, arrive]);
    proxy.restart();
    expect([await list(), await write(), proxy.isDown]).toEqual([whole, whole, false]);
  },
);

test('a test can cut, end, freeze and write to watches', async () => {
  const { server, proxy, list, watch } = await given();
  const [first, second] = [await watch(), await watch()];
  await until('both are open', () => proxy.open(isWatch) === 2);
  expect(proxy.insert(line('BOOKMARK', '', '8'), nth(1, isWatch))).toBe(1);
  expect(proxy.end(nth(1, isWatch))).toBe(1);
  expect(await first.streamed).toBe(line('BOOKMARK', '', '8'));
  proxy.freeze();
  proxy.freeze();
  second.tell(line('ADDED', 'a', '9'));
  second.end();
  const before = server.received.length;
  const frozen = list();
  await until('it has arrived', () => server.received.length > before);
  await until('its answer waits', () => proxy.open() === 2);
  proxy.thaw();
  expect(await frozen).toBe(whole);
  expect(await second.streamed).toBe(line('ADDED', 'a', '9'));
  const third = await watch();
  expect([proxy.cut(isList), proxy.cut(isWatch)]).toEqual([0, 1]);
  expect(await orBroken(third.streamed)).toBe(broken);
});

test('planned faults apply in order until the test removes them', async () => {
  const { proxy, list } = await given();
  const undo = proxy.always({ kind: 'answer', text: 'always' }, isList);
  void proxy.next({ kind: 'answer', text: 'never' }, isList);
  expect([await list(), await list()]).toEqual(['always', 'always']);
  undo();
  expect([await list(), await list()]).toEqual(['never', whole]);
  void proxy.next({ kind: 'answer', text: 'never' });
  proxy.clear();
  expect(await list()).toBe(whole);
});

test('a server that is reached through another proxy is rejected with a message', async () => {
  const connection = connectionTo({ server: 'https://10.0.0.1', proxy: 'http://10.0.0.2:3128' });
  await expect(FaultyProxy.start(connection)).rejects.toThrow(
    "the server must be reached without a proxy, got 'http://10.0.0.2:3128'",
  );
});
