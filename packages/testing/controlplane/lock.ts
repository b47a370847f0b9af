import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';

/**
 * The interval of heartbeats in milliseconds, and the age of the last one at which a lock counts as
 * stale.
 */
const heartbeatInterval = 5_000;
const staleAfter = 60_000;

/**
 * A lock between processes: a file with the process id of the holder. The lock is stale when the holder
 * has ended, or has sent no heartbeat for a minute (its id may belong to another process by now, or be
 * of another machine). In the worst case, two processes that take a stale lock at the same instant both
 * hold it: the lock saves work, it does not protect data.
 */
export class FileLock {
  readonly #path: string;
  readonly #timer: NodeJS.Timeout;

  private constructor(path: string) {
    this.#path = path;
    this.#timer = setInterval(() => {
      const now = new Date();
      try {
        utimesSync(path, now, now);
      } catch {
        clearInterval(this.#timer); // taken by another process after a minute of suspension
      }
    }, heartbeatInterval).unref();
  }

  /** Acquires the lock, or returns the id of the process that holds it. */
  static acquire(path: string): FileLock | number {
    const own = `${path}.${process.pid}`;
    try {
      writeFileSync(own, String(process.pid));
      linkSync(own, path); // atomically: with its content, or not at all
      return new FileLock(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return readHolder(path) ?? FileLock.#retake(path, own);
    } finally {
      rmSync(own, { force: true });
    }
  }

  /** Takes a stale lock. Only one of several processes succeeds in moving the file away. */
  static #retake(path: string, own: string): FileLock | number {
    try {
      renameSync(path, `${own}.left`);
      rmSync(`${own}.left`, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return FileLock.acquire(path);
  }

  release(): void {
    clearInterval(this.#timer);
    rmSync(this.#path, { force: true });
  }
}

/** Returns the holder; undefined when there is none or the lock is stale. */
function readHolder(path: string): number | undefined {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    if (Date.now() - statSync(path).mtimeMs > staleAfter) return undefined;
    process.kill(holder, 0);
    return holder;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EPERM' ? Number(readFileSync(path, 'utf8')) : undefined;
  }
}
