import { afterEach, expect, test } from '@jest/globals';
import { get, request } from 'node:http';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import {
  PublicProblem,
  type HealthCheck,
  HealthServer,
  type HealthServerProps,
} from '../../health/health-server.ts';
import { jsonLog } from '../../log/log.ts';
import { until } from '@tenantry/testing/waiting/until';

const running: Promise<void>[] = [];
let ending = new AbortController();
afterEach(async () => {
  ending.abort();
  await Promise.all(running.splice(0));
  ending = new AbortController();
});

interface Served {
  readonly clock: VirtualClock;
  readonly lines: { readonly [field: string]: unknown }[];
  readonly port: number;
  ask(path: string, method?: string): Promise<readonly [number, string]>;
}

async function served(props: Partial<HealthServerProps>): Promise<Served> {
  const clock = new VirtualClock();
  const lines: { readonly [field: string]: unknown }[] = [];
  const log = jsonLog({ clock, write: (line) => lines.push(JSON.parse(line)) });
  const local = { port: 0, host: '127.0.0.1', live: [], ready: [] };
  const server = new HealthServer({ ...local, clock, log, ...props });
  running.push(server.run(ending.signal));
  await until('it listens', () => server.port !== undefined);
  const port = server.port ?? 0;
  const ask = (path: string, method = 'GET'): Promise<readonly [number, string]> =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, method, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve([response.statusCode ?? 0, text]));
      });
      sent.on('error', reject).end();
    });
  return { clock, lines, port, ask };
}

const well = (name: string): HealthCheck => ({ name, check: () => {} });

const ill = (name: string): HealthCheck => ({
  name,
  check: () => Promise.reject(new Error('the password is 1234')),
});

test('a probe returns the result of its checks', async () => {
  const { ask } = await served({ live: [well('loop')], ready: [well('loop'), ill('caches')] });
  expect(await ask('/livez')).toEqual([200, 'ok']);
  expect(await ask('/healthz')).toEqual([200, 'ok']);
  expect(await ask('/livez/')).toEqual([200, 'ok']);
  expect(await ask('/readyz')).toEqual([
    500,
    '[+]loop ok\n[-]caches failed: reason withheld\nreadyz check failed\n',
  ]);
  expect(await ask('/readyz/loop')).toEqual([200, 'ok']);
  expect((await ask('/readyz/caches'))[0]).toBe(500);
});

test('a request can list all checks, and exclude some', async () => {
  const { ask } = await served({ live: [], ready: [well('loop'), ill('caches')] });
  expect(await ask('/readyz?exclude=caches')).toEqual([200, 'ok']);
  expect(await ask('/readyz?verbose&exclude=caches&exclude=x%22y&exclude=loop')).toEqual([
    200,
    [
      '[+]loop excluded: ok',
      '[+]caches excluded: ok',
      'warn: some health checks cannot be excluded: no matches for "x\\"y"',
      'readyz check passed',
      '',
    ].join('\n'),
  ]);
  expect(await ask('/livez?verbose')).toEqual([200, 'livez check passed\n']);
});

test('unknown paths and methods are refused', async () => {
  const { ask } = await served({ live: [well('loop')] });
  for (const path of ['/', '/livez/other', '/livez/loop/x', '/metrics', '//livez/x', '/%']) {
    expect(await ask(path)).toEqual([404, 'not found\n']);
  }
  expect(await ask('/livez', 'POST')).toEqual([405, 'method not allowed\n']);
  expect(await ask('/livez', 'HEAD')).toEqual([200, '']);
});

test('the reason of a failed check is logged once, and so is its recovery', async () => {
  let isWell = false;
  const check: HealthCheck = {
    name: 'disk',
    check() {
      if (!isWell) throw new Error('the disk is full');
    },
  };
  const { ask, lines } = await served({ ready: [check] });
  for (let times = 0; times < 3; times += 1) expect((await ask('/readyz'))[0]).toBe(500);
  expect((await ask('/readyz?exclude=disk'))[0]).toBe(200);
  expect((await ask('/readyz'))[0]).toBe(500);
  isWell = true;
  for (let times = 0; times < 3; times += 1) expect((await ask('/readyz'))[0]).toBe(200);
  expect(lines.slice(1)).toEqual([
    expect.objectContaining({
      level: 'warn',
      endpoint: 'readyz',
      check: 'disk',
      error: expect.objectContaining({ message: 'the disk is full' }),
    }),
    expect.objectContaining({ level: 'info', endpoint: 'readyz', check: 'disk' }),
  ]);
});

test('a check that does not answer has failed', async () => {
  const signals: AbortSignal[] = [];
  const check = (signal: AbortSignal): Promise<void> => {
    signals.push(signal);
    return new Promise(() => {});
  };
  const { ask, clock } = await served({ ready: [{ name: 'slow', check }] });
  const answer = ask('/readyz');
  await until('the check is running', () => signals.length === 1);
  await clock.advance(4999);
  expect(signals[0]?.aborted).toBe(false);
  await clock.advance(1);
  expect([signals[0]?.aborted, (await answer)[0]]).toEqual([true, 500]);
  expect(clock.waiting).toBe(0);
});

test('?verbose shows the reason of a failed check if it is public, and withholds all others', async () => {
  const failing = (name: string, error: Error): HealthCheck => ({
    name,
    check: () => {
      throw error;
    },
  });
  const ready = [
    failing('caches', new PublicProblem('not read yet: networkpolicies.networking.k8s.io')),
    failing('other', new Error('10.0.0.1 refuses the token')),
  ];
  const { ask } = await served({ ready });
  const [status, text] = await ask('/readyz?verbose');
  expect(status).toBe(500);
  expect(text).toContain('[-]caches failed: not read yet: networkpolicies.networking.k8s.io\n');
  expect(text).toContain('[-]other failed: reason withheld\n');
});

test('a port in use ends the server with an error', async () => {
  const { port } = await served({});
  const clock = new VirtualClock();
  const log = jsonLog({ clock, write: () => {} });
  const other = new HealthServer({ port, host: '127.0.0.1', live: [], ready: [], clock, log });
  await expect(other.run(new AbortController().signal)).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

test('a stopping server waits for no kept connection', async () => {
  const { port } = await served({});
  await new Promise<void>((resolve) => {
    get({ port, host: '127.0.0.1', path: '/livez', headers: { connection: 'keep-alive' } }, (one) =>
      one.resume().on('end', resolve),
    );
  });
  ending.abort();
  expect(await Promise.all(running.splice(0))).toEqual([undefined]);
});

test('a stopping server waits for no check', async () => {
  let isAsked = false;
  const check = (): Promise<void> => {
    isAsked = true;
    return new Promise(() => {});
  };
  const { ask } = await served({ live: [{ name: 'slow', check }] });
  const answer = ask('/livez').catch(() => 'cut off');
  await until('the check is running', () => isAsked);
  ending.abort();
  expect(await Promise.all(running.splice(0))).toEqual([undefined]);
  expect(await answer).toBe('cut off');
});

test('two checks with the same name are refused', () => {
  const clock = new VirtualClock();
  const log = jsonLog({ clock, write: () => {} });
  const live = [well('loop'), well('loop')];
  expect(() => new HealthServer({ live, ready: [], clock, log })).toThrow(
    new Error('a check must have a name of its own, got loop twice'),
  );
});
