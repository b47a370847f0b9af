import { expect, test } from '@jest/globals';
import { VirtualClock } from '../../../testing/clock/virtualclock.ts';
import { openClient } from '../../../runtime/client/openclient.ts';
import { connectionTo } from '../../../runtime/connection/explicit.ts';
import { jsonLog } from '../../../runtime/log/log.ts';

test.each([
  [true, 1],
  [false, 0],
])('a server whose certificate is not checked (%s) is told of, %i times', (isInsecure, times) => {
  const lines: string[] = [];
  const log = jsonLog({ clock: new VirtualClock(), write: (line) => lines.push(line) });
  const connection = connectionTo({ server: 'https://10.0.0.1:6443', isInsecure });
  openClient(connection, { log }).close();
  openClient(connection).close();
  const said = {
    level: 'warn',
    server: 'https://10.0.0.1:6443',
    msg: expect.stringContaining('is not checked (insecure-skip-tls-verify)'),
  };
  const told = lines.map((line): unknown => JSON.parse(line));
  expect(told).toEqual(Array.from({ length: times }, () => expect.objectContaining(said)));
});
