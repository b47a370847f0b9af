import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  closeSync,
  futimesSync,
  openSync,
  readFileSync,
  rmdirSync,
} from 'node:fs';
import { join } from 'node:path';
import { hostname } from 'node:os';

/** The files of one writer in the staging area, under names that no other writer uses. */
export class Stage {
  /** The staged files, with their paths in the output. */
  readonly staged: string;
  /** The same folder, renamed, from the start of the swap. */
  readonly swap: string;

  constructor(area: string, id: string) {
    this.staged = join(area, `staged.${id}`);
    this.swap = join(area, `swap.${id}`);
  }

  /** @param isEmpty whether nothing was staged, so that the swap only removes */
  beginSwap(isEmpty: boolean): void {
    if (isEmpty) mkdirSync(this.swap);
    else renameSync(this.staged, this.swap);
  }

  /** Removes links in the folders without following them. */
  drop(): void {
    for (const path of [this.staged, this.swap]) rmSync(path, { recursive: true, force: true });
  }
}

/** The content of a staging area. */
export interface AreaContents {
  /** The ids of writers that were killed. */
  readonly dead: readonly string[];
  /** Whether one of them was killed in its swap. */
  readonly interrupted: boolean;
  /** Names of entries that no writer created. */
  readonly unexpectedNames: readonly string[];
}

const ENTRY_NAME = /^(?:lock|staged|swap)\.(.+)$/;

/** Reads a staging area, which need not exist. */
export function lookAt(area: string): AreaContents {
  if (lstatSync(area, { throwIfNoEntry: false }) === undefined) {
    return { dead: [], interrupted: false, unexpectedNames: [] };
  }
  const names = readdirSync(area);
  const writers = names.flatMap((name) => readWriter(area, name) ?? []);
  const ids = new Set(writers.map(({ id }) => id));
  const dead = writers.filter((writer) => !isAlive(writer)).map(({ id }) => id);
  // A writer that ends meanwhile removes its files; they must not be reported.
  const isThere = (name: string) =>
    lstatSync(join(area, name), { throwIfNoEntry: false }) !== undefined;
  const unexpectedNames = names.filter(
    (name) => !ids.has(ENTRY_NAME.exec(name)?.[1] ?? '') && isThere(name),
  );
  return {
    dead,
    interrupted: dead.some((id) => existsSync(new Stage(area, id).swap)),
    unexpectedNames: unexpectedNames.toSorted(),
  };
}

/** Removes the files of killed writers, each lock last, so that an interrupted sweep can be resumed. */
export function sweep(area: string): void {
  for (const id of lookAt(area).dead) {
    new Stage(area, id).drop();
    rmSync(join(area, buildLockName(id)), { force: true });
  }
}

/**
 * Milliseconds after which the lock of another host counts as abandoned, since its process cannot
 * be checked.
 */
const OTHER_HOST_PATIENCE = 3_600_000;
/** The coarsest resolution of file times, in ms (FAT stores every second second). */
const COARSE = 2000;
const LOCK_NAME = /^lock\.((.+)\.(\d+)\.(\d+)\.(\d+))$/;

/** Reports that another writer holds the output. Nothing was changed. */
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

/** A writer of an output. The name of its lock file holds these facts, so they are never partly written. */
interface Writer {
  /** Host, process, start of the process and time of the lock: unique to each writer. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** In clock ticks since boot; `0` if the system does not provide it. */
  readonly start: string;
  /** The time of the lock, in ms since the epoch. */
  readonly made: number;
}

/** Returns the name of the lock file of a writer. */
function buildLockName(id: string): string {
  return `lock.${id}`;
}

/**
 * Returns the writer that made a lock file; undefined for a file that only has such a name. The
 * modification time of a real lock equals the time in its name. Git does not keep times, so a
 * committed file has the time of the checkout, which is unknown when it is committed.
 */
function readWriter(area: string, name: string): Writer | undefined {
  const [, id, host, pid, start, made] = LOCK_NAME.exec(name) ?? [];
  if (id === undefined || host === undefined || pid === undefined || start === undefined) return;
  const stat = lstatSync(join(area, name), { throwIfNoEntry: false });
  if (stat?.isFile() !== true || Math.abs(stat.mtimeMs - Number(made)) > COARSE) return undefined;
  return { id, host, pid: Number(pid), start, made: Number(made) };
}

/**
 * Takes the lock of a staging area, and creates the area if it is missing. Returns the id of the
 * lock and a function that releases it. Throws `OutputLocked` at once when a living process holds
 * it.
 *
 * Each writer first creates its own lock and then looks for others. Of two that come at once, at
 * least one therefore gives up.
 */
export function takeLock(area: string): { readonly id: string; readonly release: () => void } {
  const id = createLock(area);
  const release = () => {
    rmSync(join(area, buildLockName(id)), { force: true });
    removeIfEmpty(area);
  };
  for (const name of readdirSync(area)) {
    const writer = readWriter(area, name);
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
    const id = `${hostname()}.${process.pid}.${readStartTime(process.pid) ?? 0}.${made}`;
    try {
      const file = openSync(join(area, buildLockName(id)), 'wx');
      futimesSync(file, made / 1000, made / 1000);
      closeSync(file);
      return id;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // ENOENT: the last writer removed the area between the two calls. EEXIST: a lock in the same
      // ms.
      if ((code !== 'ENOENT' && code !== 'EEXIST') || attempt === 10) throw error;
    }
  }
}

/** Whether the process of a lock still runs. */
function isAlive({ host, pid, start, made }: Writer): boolean {
  if (host !== hostname()) return Date.now() - made < OTHER_HOST_PATIENCE;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return (readStartTime(pid) ?? '0') === start;
}

/** Returns when a process started, in clock ticks since boot, to detect a reused pid. Linux only. */
function readStartTime(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // proc(5): the program name, in parentheses, may hold spaces; starttime is field 22.
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
    // The area holds another lock or a foreign file.
  }
}
