import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { handleRejections } from '../../manager/tasks.ts';

const root = join(import.meta.dirname, '../..');

/** A manager that owns its process, and a reconcile that does not await a promise. */
const program = `
  const { controller, done, core, jsonLog, Manager, systemClock } = await import('@tenantry/runtime');
  const { SimulatedApiServer } = await import('@tenantry/testing');
  const client = new SimulatedApiServer({ clock: systemClock }).client();
  let count = 0;
  const forgetting = controller({
    name: 'forgetting',
    for: core.Namespace,
    reconcile: async () => {
      void Promise.reject(new Error('nobody waits'));
      count += 1;
      if (count === 4) setTimeout(() => process.kill(process.pid, 'SIGTERM'), 50);
      return done;
    },
  });
  const log = jsonLog({ clock: systemClock });
  await new Manager({ controllers: [forgetting], client, log }).run();
  console.log('reconciled ' + count);
`;

test('an unawaited promise of a reconcile that rejects is logged, and does not end the process', () => {
  const args = ['--input-type=module', '--eval', program];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'reconciled 4\n' });
  expect(stderr).toContain('"msg":"a promise was rejected, and nobody waits for it"');
  expect(stderr).toContain('nobody waits');
});

test('the listener for rejections can be removed', () => {
  const before = process.listenerCount('unhandledRejection');
  const handler = handleRejections(() => undefined);
  expect(process.listenerCount('unhandledRejection')).toBe(before + 1);
  handler.end();
  expect(process.listenerCount('unhandledRejection')).toBe(before);
});
