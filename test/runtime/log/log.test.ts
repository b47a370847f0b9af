import { expect, test } from '@jest/globals';
import { VirtualClock } from '../../../runtime/clock/virtualclock.ts';
import { jsonLog, type LogLevel } from '../../../runtime/log/log.ts';

const logged = (level?: LogLevel) => {
  const lines: string[] = [];
  const log = jsonLog({ clock: new VirtualClock(), level, write: (line) => lines.push(line) });
  return { log, lines, read: () => lines.map((line) => JSON.parse(line) as object) };
};

test('a line is one JSON object: when, how bad, what, and the fields of all logs that it came by', () => {
  const { log, lines } = logged();
  const shop = log.with({ controller: 'shops', object: 'mall/a' });
  shop.with({ object: 'mall/b' }).warn('the door is locked', { since: 3 });
  log.info('the controller runs');
  expect(lines).toEqual([
    '{"time":"2026-01-01T00:00:00.000Z","level":"warn","message":"the door is locked","controller":"shops","object":"mall/b","since":3}\n',
    '{"time":"2026-01-01T00:00:00.000Z","level":"info","message":"the controller runs"}\n',
  ]);
});

test.each<[LogLevel | undefined, number]>([
  ['debug', 4],
  [undefined, 3],
  ['warn', 2],
  ['error', 1],
])('of four levels those from %s on are told', (level, count) => {
  const { log, lines } = logged(level);
  for (const say of [log.debug, log.info, log.warn, log.error]) say('something happened');
  expect(lines).toHaveLength(count);
});

test('an error is told with its stack and its causes', () => {
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

test('whatever is in a field, the line is written', () => {
  const { log, read } = logged();
  const round: { itself?: object } = {};
  round.itself = round;
  const endless = new Error('endless');
  endless.cause = endless;
  log.info('odd', {
    round,
    big: 2n ** 60n,
    deep: { big: 1n },
    level: 'x',
    none: undefined,
    endless,
  });
  expect(read()).toEqual([
    {
      time: '2026-01-01T00:00:00.000Z',
      level: 'info',
      message: 'odd',
      round: '[object Object]',
      big: '1152921504606846976',
      deep: '[object Object]',
      level_: 'x',
      endless: expect.objectContaining({ message: 'endless' }),
    },
  ]);
});
