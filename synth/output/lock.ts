import { closeSync, futimesSync, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { readFileSync, rmdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/**
 * Whether the owner of another host's lock lives cannot be asked; this old, in ms, it is taken for
 * dead.
 */
const OTHER_HOST_PATIENCE = 3_600_000;
/** In ms: how coarse the times of a file system may be (FAT keeps every second second). */
const COARSE = 2000;
const NAME = /^lock\.((.+)\.(\d+)\.(\d+)\.(\d+))$/;

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

/** A writer of an output, as the name of its lock file says it, so that none is seen half written. */
export interface Writer {
  /** Host, process, start of the process and moment of the lock: no two writers have the same. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** In clock ticks since boot; `0` where the system does not tell. */
  readonly start: string;
  /** In ms since the epoch: when the lock was made. */
  readonly made: number;
}

/** The name of the lock of a writer. */
export function lockOf(id: string): string {
  return `lock.${id}`;
}

/**
 * The writer that made a lock file; undefined for a file that only has the name of one. A lock's
 * modification time is the moment in its name. Git keeps no times: what came by a commit has that of
 * the checkout, which nobody can know when the name is committed.
 */
export function writerOf(area: string, name: string): Writer | undefined {
  const [, id, host, pid, start, made] = NAME.exec(name) ?? [];
  if (id === undefined || host === undefined || pid === undefined || start === undefined) return;
  const stat = lstatSync(join(area, name), { throwIfNoEntry: false });
  if (stat?.isFile() !== true || Math.abs(stat.mtimeMs - Number(made)) > COARSE) return undefined;
  return { id, host, pid: Number(pid), start, made: Number(made) };
}

/**
 * Takes the lock of a staging area, made when missing; returns its id, and how to give it back.
 * Throws `OutputLocked` at once when a living process holds it.
 *
 * Everyone first creates their own, then looks for others: of two that come at once, at least one
 * gives way.
 */
export function takeLock(area: string): { readonly id: string; readonly release: () => void } {
  const id = createLock(area);
  const release = () => {
    rmSync(join(area, lockOf(id)), { force: true });
    removeIfEmpty(area);
  };
  for (const name of readdirSync(area)) {
    const writer = writerOf(area, name);
    if (writer === undefined || writer.id === id || !isAlive(writer)) continue;
    release();
    throw new OutputLocked(join(area, name), writer.pid, writer.host);
  }
  return { id, release };
}

function createLock(area: string): string {
  for (let attempt = 1; ; attempt++) {
    mkdirSync(area, { recursive: true });
    const made = Date.now();
    const id = `${hostname()}.${process.pid}.${startOf(process.pid) ?? 0}.${made}`;
    try {
      const file = openSync(join(area, lockOf(id)), 'wx');
      futimesSync(file, made / 1000, made / 1000);
      closeSync(file);
      return id;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // ENOENT: the last writer removed the area between our two calls. EEXIST: in this very ms.
      if ((code !== 'ENOENT' && code !== 'EEXIST') || attempt === 10) throw error;
    }
  }
}

/** Whether the process of a lock still runs. */
export function isAlive({ host, pid, start, made }: Writer): boolean {
  if (host !== hostname()) return Date.now() - made < OTHER_HOST_PATIENCE;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return (startOf(pid) ?? '0') === start;
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
    // The lock of another is in it, or what somebody put there.
  }
}
