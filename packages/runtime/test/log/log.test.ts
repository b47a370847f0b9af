import { expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { ApiError } from '../../errors/api-error.ts';
import { toggleDebugOnSignal, jsonLog, type LogLevel } from '../../log/log.ts';

const logged = (level?: LogLevel) => {
  const lines: string[] = [];
  const log = jsonLog({ clock: new VirtualClock(), level, write: (line) => lines.push(line) });
  return { log, lines, read: () => lines.map((line) => JSON.parse(line) as object) };
};

test('a line is one JSON object with the time, the level, the message, and the fields of all parent logs', () => {
  const { log, lines } = logged();
  const shop = log.with({ controller: 'shops', object: 'mall/a' });
  shop.with({ object: 'mall/b' }).warn('the door is locked', { since: 3 });
  log.info('the controller runs');
  expect(lines).toEqual([
    '{"time":"2026-01-01T00:00:00.000Z","level":"warn","msg":"the door is locked","controller":"shops","object":"mall/b","since":3}\n',
    '{"time":"2026-01-01T00:00:00.000Z","level":"info","msg":"the controller runs"}\n',
  ]);
});

test.each<[LogLevel | undefined, number]>([
  ['debug', 4],
  [undefined, 3],
  ['warn', 2],
  ['error', 1],
])('with four levels, those from %s on are logged', (level, count) => {
  const { log, lines } = logged(level);
  for (const write of [log.debug, log.info, log.warn, log.error]) write('something happened');
  expect(lines).toHaveLength(count);
});

test('an error is logged with its stack and its causes', () => {
  const { log, read } = logged();
  const cause = new Error('refused', { cause: 'no route' });
  log.error('the reconcile failed', { error: new TypeError('no answer', { cause }) });
  expect(read()).toMatchObject([
    {
      error: {
        name: 'TypeError',
        message: 'no answer',
        stack: expect.stringContaining('log.test.ts'),
        cause: { message: 'refused', cause: 'no route' },
      },
    },
  ]);
});

test('of a value with many fields the first hundred are logged', () => {
  const { log, lines, read } = logged();
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`field${i}`, i]));
  log.info('much', { object: many, map: new Map(Object.entries(many)) });
  expect(lines.join('').length).toBeLessThan(10_000);
  const cut = { field0: 0, field99: 99, '...': '[99900 more]' };
  expect(read()).toMatchObject([{ object: cut, map: cut }]);
});

test('the log never throws, whatever a getter throws', () => {
  const { log, read } = logged();
  const broken = {
    get anything(): never {
      throw Object.create(null);
    },
  };
  log.info('odd', { broken, ['__proto__']: 1, named: JSON.parse('{"__proto__":{"a":1}}') });
  expect(read()).toEqual([
    expect.objectContaining({
      broken: '[cannot be logged: object]',
      named: JSON.parse('{"__proto__":{"a":1}}') as object,
    }),
  ]);
});

test('the line is written whatever a field contains', () => {
  const { log, read } = logged();
  const round: { itself?: object } = {};
  round.itself = round;
  const endless = new Error('endless');
  endless.cause = endless;
  const broken = {
    get anything(): never {
      throw new Error('no');
    },
  };
  log.info('odd', {
    round,
    broken,
    big: 2n ** 60n,
    deep: { big: 1n, at: new Date(0) },
    level: 'x',
    none: undefined,
    nothing: null,
    symbol: Symbol('s'),
    run: function run() {},
    many: Array.from({ length: 102 }, (_, i) => i),
    map: new Map([['a', new Set([1])]]),
    long: 'x'.repeat(8200),
    endless,
  });
  expect(read()).toEqual([
    {
      time: '2026-01-01T00:00:00.000Z',
      level: 'info',
      msg: 'odd',
      round: { itself: { itself: { itself: { itself: { itself: '[...]' } } } } },
      broken: '[cannot be logged: Error: no]',
      big: '1152921504606846976',
      deep: { big: '1', at: '1970-01-01T00:00:00.000Z' },
      level_: 'x',
      nothing: null,
      symbol: 'Symbol(s)',
      run: '[function run]',
      many: [...Array.from({ length: 100 }, (_, i) => i), '[2 more]'],
      map: { a: [1] },
      long: `${'x'.repeat(8192)}[8 more]`,
      endless: expect.objectContaining({ message: 'endless' }),
    },
  ]);
});

test('objects are logged by their names, without their content', () => {
  const { log, lines } = logged();
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'door', namespace: 'mall', annotations: { last: 'MTIzNA' } },
    data: { key: 'MTIzNA' },
  };
  const written = { metadata: { generateName: 'door-' }, stringData: { key: 'MTIzNA' } };
  const cause = Object.assign(new Error('broken'), { body: secret });
  log.error('it leaked', {
    secret,
    all: { items: [secret, written] },
    bytes: Buffer.from('MTIzNA'),
    error: new Error('failed', { cause }),
  });
  expect(lines.join()).not.toContain('MTIzNA');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    secret: { kind: 'Secret', namespace: 'mall', name: 'door' },
    all: { items: [{ name: 'door' }, { name: 'door-' }] },
    bytes: '[6 bytes]',
  });
});

test('a refusal is logged with its request and its answer', () => {
  const { log, read } = logged();
  const refusal = new ApiError(
    { code: 403, reason: 'Forbidden', message: 'no' },
    { request: 'GET /api/v1/pods' },
  );
  const several = new AggregateError([refusal, new Error('late')], 'both failed');
  log.error('the reconcile failed', { error: several });
  expect(read()).toMatchObject([
    {
      error: {
        message: 'both failed',
        errors: [
          { message: 'no', status: 403, reason: 'Forbidden', request: 'GET /api/v1/pods' },
          { message: 'late' },
        ],
      },
    },
  ]);
});

test('the level can be changed at run time, for all child logs', () => {
  const { log, read } = logged();
  const shop = log.with({ controller: 'shops' });
  shop.debug('one');
  log.level = 'debug';
  shop.debug('two');
  log.level = 'error';
  shop.warn('three');
  expect([read().length, log.level]).toEqual([1, 'error']);
});

test('a signal turns debugging on, and the next one turns it off', () => {
  const { log, read } = logged('warn');
  const signals = new EventEmitter();
  const end = toggleDebugOnSignal(log, signals);
  signals.emit('SIGUSR2');
  log.debug('logged');
  signals.emit('SIGUSR2');
  log.info('not logged');
  expect(log.level).toBe('warn');
  end();
  signals.emit('SIGUSR2');
  expect([log.level, signals.listenerCount('SIGUSR2')]).toEqual(['warn', 0]);
  expect(read()).toMatchObject([{ to: 'debug' }, { msg: 'logged' }, { to: 'warn' }]);
});
