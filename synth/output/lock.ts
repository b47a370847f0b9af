import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { rmdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A lock of another host cannot be asked whether it lives; this old, in ms, it is taken for dead. */
const OTHER_HOST_PATIENCE = 3_600_000;
const NAME = /^lock\.(.+)\.(\d+)\.(\d+)$/;

/** Another writer is at work on the same output. Nothing was touched. */
export class OutputLocked extends Error {
  override readonly name = 'OutputLocked';
  readonly pid: number;

  constructor(file: string, pid: number, host: string) {
    super(
      `an output must have one writer at a time, got a second one while process ${pid} on ${host} writes; wait for it, or remove ${file} if that process is not a writer`,
    );
    this.pid = pid;
  }
}

/**
 * Takes the lock of a staging area, made when missing; returns how to give it back. Throws
 * `OutputLocked` at once when a living process holds it; locks of dead processes are removed.
 *
 * The name of a lock file says who holds it, so that none is ever seen half written. Everyone
 * first creates their own, then looks for others: of two that come at once, at least one gives way.
 */
export function takeLock(area: string): () => void {
  const own = `lock.${hostname()}.${process.pid}.${startOf(process.pid) ?? 0}`;
  createLock(area, own);
  const release = () => {
    rmSync(join(area, own), { force: true });
    removeIfEmpty(area);
  };
  for (const file of readdirSync(area)) {
    const [, host, pid, start] = NAME.exec(file) ?? [];
    if (file === own || host === undefined || pid === undefined || start === undefined) continue;
    const path = join(area, file);
    if (isAlive(path, host, Number(pid), start)) {
      release();
      throw new OutputLocked(path, Number(pid), host);
    }
    rmSync(path, { force: true });
  }
  return release;
}

function createLock(area: string, own: string): void {
  const path = join(area, own);
  for (let attempt = 1; ; attempt++) {
    mkdirSync(area, { recursive: true });
    try {
      closeSync(openSync(path, 'wx'));
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw new OutputLocked(path, process.pid, hostname());
      // ENOENT: the last writer removed the area between our two calls.
      if (code !== 'ENOENT' || attempt === 10) throw error;
    }
  }
}

function isAlive(path: string, host: string, pid: number, start: string): boolean {
  if (host !== hostname()) {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && Date.now() - stat.mtimeMs < OTHER_HOST_PATIENCE;
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return now === undefined || start === '0' || now === start;
}

/** When a process started, in clock ticks since boot: two of one pid differ. Linux only. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // proc(5): the name of the program, in parentheses, may hold spaces; starttime is field 22.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'dead' : fields[19];
  } catch {
    return undefined;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The journal of an unfinished swap, or the lock of another, is in it.
  }
}
