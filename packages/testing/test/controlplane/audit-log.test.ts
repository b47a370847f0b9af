import { afterAll, expect, test } from '@jest/globals';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuditLog } from '../../controlplane/audit-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenantry-audit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const hour = 3_600_000;
const line = (verb: string, at = Date.now()): string =>
  `${JSON.stringify({ verb, requestReceivedTimestamp: new Date(at).toISOString(), note: 'ü' })}\n`;
const write = (text: string): void => appendFileSync(join(folder, 'audit.log'), text);
const verbsOf = (log: AuditLog): string[] => log.entries().map(({ verb }) => verb);

test('an audit log is read as it grows, in whole lines, and optionally from now on', () => {
  const before = new AuditLog(folder);
  const fromNothing = AuditLog.fromNow(folder);
  expect(() => before.entries()).toThrow('ENOENT');
  write(line('get') + line('list', Date.now() + hour).slice(0, 9));
  expect([verbsOf(before), verbsOf(before)]).toEqual([['get'], ['get']]);
  const within = AuditLog.fromNow(folder);
  expect([verbsOf(within), verbsOf(fromNothing)]).toEqual([[], ['get']]);
  write(line('list', Date.now() + hour).slice(9));
  const between = AuditLog.fromNow(folder);
  expect(verbsOf(between)).toEqual([]);
  write(line('late', Date.now() - hour) + line('watch', Date.now() + hour));
  expect(verbsOf(before)).toEqual(['get', 'list', 'late', 'watch']);
  expect(verbsOf(fromNothing)).toEqual(['get', 'list', 'watch']);
  expect([verbsOf(within), verbsOf(between)]).toEqual([['watch'], ['watch']]);
});
