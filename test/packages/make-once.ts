import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** In ms: how long a test file waits for what another one makes. */
const TIMEOUT = 240_000;

/**
 * Makes something once in a run of tests: the first caller makes it, and the other test files wait, because they have
 * nothing else to do meanwhile.
 * @param folder records who makes it and whether that succeeded; its parent exists
 * @param make returns whether it succeeded
 * @returns whether it was made
 */
export function makeOnce(folder: string, make: () => boolean): boolean {
  const [done, failed] = [join(folder, 'done'), join(folder, 'failed')];
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    let isMade = false;
    try {
      isMade = make();
    } finally {
      writeFileSync(isMade ? done : failed, '');
    }
  }
  const last = performance.now() + TIMEOUT;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(done)) {
    if (existsSync(failed) || performance.now() > last) return false;
    Atomics.wait(cell, 0, 0, 50);
  }
  return true;
}
