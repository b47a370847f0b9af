import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';

/** Milliseconds between two signs of life, and without one until a lock counts as left behind. */
const heartbeatInterval = 5_000;
const staleAfter = 60_000;

/**
 * A lock between processes: a file with the holder's number. A holder that is gone, or gives no sign
 * of life for a minute (its number may be another's by now, or of another machine), has left it
 * behind. In the worst case, two that take a lock that was left in the same instant, both hold it:
 * it saves work, it does not guard data.
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
        clearInterval(this.#timer); // taken away after a minute of sleep
      }
    }, heartbeatInterval).unref();
  }

  /** The lock, or the number of the process that holds it. */
  static acquire(path: string): FileLock | number {
    const own = `${path}.${process.pid}`;
    try {
      writeFileSync(own, String(process.pid));
      linkSync(own, path); // at once and with its content, or not at all
      return new FileLock(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return readHolder(path) ?? FileLock.#retake(path, own);
    } finally {
      rmSync(own, { force: true });
    }
  }

  /** Moving it away succeeds for one of those who see that it was left. */
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

/** Undefined when there is none, or it was left behind. */
function readHolder(path: string): number | undefined {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    if (Date.now() - statSync(path).mtimeMs > staleAfter) return undefined;
    process.kill(holder, 0);
    return holder;
  } catch (error) {
    // EPERM: it is there and another user's.
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EPERM' ? Number(readFileSync(path, 'utf8')) : undefined;
  }
}
