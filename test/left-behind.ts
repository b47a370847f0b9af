/** Reports what keeps a worker of jest alive, which one of its tests has left behind, before jest kills the worker. */
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

function shown(handle: Handle): string {
  const { spawnargs, remotePort, address } = handle;
  const of = spawnargs?.join(' ') ?? remotePort ?? JSON.stringify(address?.call(handle));
  return of === undefined ? handle.constructor.name : `${handle.constructor.name} (${of})`;
}

if (process.env['JEST_WORKER_ID'] !== undefined) {
  process.once('SIGTERM', () => {
    const resources = [...process.getActiveResourcesInfo(), ...(handles?.() ?? []).map(shown)];
    writeSync(2, `tenantry: a worker of jest is kept by ${resources.join(', ')}\n`);
  });
}
