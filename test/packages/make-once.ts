import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileLock } from '@tenantry/testing/controlplane/lock';

/** In ms: how long a test file waits for what another one makes. */
const TIMEOUT = 240_000;

/**
 * Makes something once in a run of tests: the first caller makes it, and the other test files wait, because they have
 * nothing else to do meanwhile. Jest may kill a worker that has just begun with a test file, because the file before
 * left too much memory, and begins that file again in a new worker. So if the maker is gone, the next one makes it.
 * @param folder records who makes it and whether that succeeded; its parent exists
 * @param make returns whether it succeeded; it can make again what a killed process has left half made
 * @returns whether it was made
 */
export function makeOnce(folder: string, make: () => boolean): boolean {
  const [done, failed] = [join(folder, 'done'), join(folder, 'failed')];
  mkdirSync(folder, { recursive: true });
  const last = performance.now() + TIMEOUT;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(done)) {
    if (existsSync(failed) || performance.now() > last) return false;
    const lock = FileLock.acquire(join(folder, 'lock'));
    if (lock instanceof FileLock) makeLocked(lock, done, failed, make);
    else Atomics.wait(cell, 0, 0, 50);
  }
  return true;
}

function makeLocked(lock: FileLock, done: string, failed: string, make: () => boolean): void {
  let isMade = existsSync(done);
  try {
    isMade ||= make();
  } finally {
    writeFileSync(isMade ? done : failed, '');
    lock.release();
  }
}
