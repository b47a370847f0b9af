/** Reports the handles that keep a worker of jest alive, such as a process that a test did not stop, before jest kills it. */
import { writeSync } from 'node:fs';
import process from 'node:process';

interface Handle {
  readonly spawnargs?: readonly string[];
  readonly remotePort?: number;
  readonly address?: () => unknown;
}

/** Undocumented, but the only function that reveals a program or an address. */
const { _getActiveHandles: handles } = process as unknown as {
  readonly _getActiveHandles?: () => readonly Handle[];
};

function describeHandle(handle: Handle): string {
  const { spawnargs, remotePort, address } = handle;
  const of = spawnargs?.join(' ') ?? remotePort ?? JSON.stringify(address?.call(handle));
  return of === undefined ? handle.constructor.name : `${handle.constructor.name} (${of})`;
}

if (process.env['JEST_WORKER_ID'] !== undefined) {
  process.once('SIGTERM', () => {
    const resources = [
      ...process.getActiveResourcesInfo(),
      ...(handles?.() ?? []).map(describeHandle),
    ];
    writeSync(2, `tenantry: a worker of jest is kept by ${resources.join(', ')}\n`);
  });
}
