import { expect, test } from '@jest/globals';
import type { Tenants } from '../../../cli/tenants/follow-tenants.ts';
import {
  Screen,
  TenantScreen,
  TenantLog,
  type WatchConsole,
} from '../../../cli/tenants/watch-output.ts';
import type { LiveTenant } from '../../../cli/tenants/tenant-summary.ts';
import { drifted, fine, marked, now, plain, tenant } from './given.ts';

const held = (...tenants: readonly LiveTenant[]): Map<string, LiveTenant> =>
  new Map(tenants.map((one) => [one.metadata.name, one]));

/** Records the printed lines, with a clock that the test sets. */
function ears() {
  const out: string[] = [];
  const err: string[] = [];
  const at = { date: now };
  const watchConsole: WatchConsole = {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    paint: plain,
    paintError: marked,
    now: () => at.date,
  };
  return { out, err, at, watchConsole };
}

const shop = tenant('shop', fine);
const payments = tenant('payments', fine);

test('line by line, all tenants are printed once, then each one whose state changes', () => {
  const { out, watchConsole } = ears();
  const log = new TenantLog(watchConsole, 'table');
  log.listed(held(shop, payments));
  expect(out.map((line) => line.split(' ')[0])).toEqual(['NAME', 'payments', 'shop']);
  log.changed({ ...shop, metadata: { ...shop.metadata, resourceVersion: '2' } });
  expect(out).toHaveLength(3);
  log.changed(tenant('shop', drifted));
  log.gone('payments');
  expect(out.slice(3)).toEqual([
    'shop       -       False   2         1            Drifted      12m',
    'payments is gone',
  ]);
});

test('a new list reports the changes of the meantime, and the deleted tenants', () => {
  const { out, watchConsole } = ears();
  const log = new TenantLog(watchConsole, 'table');
  log.listed(held(shop, payments));
  log.listed(held(tenant('shop', drifted)));
  expect(out.slice(3)).toEqual(['payments is gone', expect.stringMatching(/^shop .*Drifted/)]);
});

test('as JSON each line is one tenant', () => {
  const { out, watchConsole } = ears();
  const log = new TenantLog(watchConsole, 'json');
  log.listed(held(shop));
  log.changed(tenant('shop', drifted));
  log.gone('shop');
  expect(out.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ name: 'shop', state: 'Ready' }),
    expect.objectContaining({ name: 'shop', state: 'Drifted', reason: 'Drifted' }),
    { name: 'shop', gone: true },
  ]);
});

test('a missing operator and an interrupted watch are reported beside the lines', () => {
  const { err, watchConsole } = ears();
  const log = new TenantLog(watchConsole, 'table');
  log.listed(held(tenant('new')));
  log.interrupted(new Error('connection reset'));
  expect(err).toEqual([
    expect.stringMatching(/^<yellow:warning> 1 tenant has no status \(new\)/),
    '<yellow:warning> the watch was interrupted and is retried: connection reset',
  ]);
});

function drawing(rows: number, name?: string) {
  const { watchConsole, at } = ears();
  const pictures: string[] = [];
  const screen = new Screen({ rows, write: (text) => void pictures.push(text) });
  const drawn = new TenantScreen(screen, watchConsole, false, name);
  return { drawn, pictures, at };
}

/** Returns the lines that a terminal shows for a frame. */
const seen = (frame: string | undefined): string[] =>
  // eslint-disable-next-line no-control-regex
  (frame ?? '').replaceAll(/\u001B\[[?\d]*[A-Za-z]/g, '').split('\n');

const draw = (drawn: TenantScreen, tenants: Tenants): void => {
  drawn.listed(tenants);
  drawn.tick();
};

test('a terminal shows totals, tenants and the time, each frame over the previous one', () => {
  const { drawn, pictures } = drawing(24);
  drawn.tick();
  expect(pictures).toEqual([]);
  const tenants = held(shop, payments);
  draw(drawn, tenants);
  expect(seen(pictures[0])).toEqual([
    '2 tenants: 2 ready',
    '',
    expect.stringMatching(/^NAME /),
    expect.stringMatching(/^payments /),
    expect.stringMatching(/^shop /),
    '',
    '2026-11-22T10:00:00Z, Ctrl-C ends',
    '',
  ]);
  tenants.set('shop', tenant('shop', drifted));
  drawn.changed();
  drawn.tick();
  expect(seen(pictures[1])[3]).toMatch(/^shop .*Drifted/);
  expect(pictures[0]).toContain('\u001B[2J');
  expect(pictures[1]!.startsWith('\u001B[H')).toBe(true);
  expect(pictures[1]).not.toContain('\u001B[2J');
});

test('all changes between two ticks appear in one frame, and without changes the next one is drawn when ages are outdated', () => {
  const { drawn, pictures, at } = drawing(24);
  draw(drawn, held(shop));
  for (let i = 0; i < 1000; i += 1) drawn.changed();
  drawn.tick();
  drawn.tick();
  expect(pictures).toHaveLength(2);
  at.date = new Date(now.getTime() + 4999);
  drawn.tick();
  expect(pictures).toHaveLength(2);
  at.date = new Date(now.getTime() + 5000);
  drawn.tick();
  expect(pictures).toHaveLength(3);
  drawn.resized();
  drawn.tick();
  expect(pictures).toHaveLength(4);
});

test('a terminal that is too small shows the worst tenants, the number of hidden lines, and the time', () => {
  const { drawn, pictures } = drawing(8);
  const crowd = Array.from({ length: 30 }, (_, at) => tenant(`t${at}`, fine));
  draw(drawn, held(...crowd, tenant('bad', drifted)));
  const lines = seen(pictures[0]);
  expect(lines).toHaveLength(8);
  expect(lines[3]).toMatch(/^bad /);
  expect(lines[4]).toBe('... 30 more lines');
  expect(lines[6]).toMatch(/Ctrl-C ends$/);
});

test('the details of one tenant are drawn too, until it is deleted', () => {
  const { drawn, pictures } = drawing(40, 'shop');
  const tenants = held(shop);
  draw(drawn, tenants);
  expect(seen(pictures[0])[0]).toBe('Tenant       shop');
  tenants.clear();
  drawn.gone();
  drawn.tick();
  expect(seen(pictures[1])[0]).toBe('Tenant shop is gone');
});

test('an interrupted watch is shown below the table until the next event arrives', () => {
  const { drawn, pictures } = drawing(24);
  draw(drawn, held(shop));
  drawn.interrupted(new Error('gone away'));
  drawn.tick();
  expect(pictures[1]).toContain('warning the watch was interrupted and is retried: gone away');
  drawn.changed();
  drawn.tick();
  expect(pictures[2]).not.toContain('warning');
});
