/**
 * Why a check fails, in words that whoever reaches the port may read: names of kinds and checks, nothing of objects,
 * addresses or credentials.
 */
export class PublicProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PublicProblem';
  }
}

/** A question to which "all is well" is an answer. */
export interface HealthCheck {
  /** A DNS label; in paths and answers. */
  readonly name: string;
  /**
   * Throws, or rejects, where it is not so, with a sentence that says why: `?verbose` shows that of a
   * `PublicProblem`, the log shows all. The signal aborts when nobody waits for the answer any more.
   */
  check(signal: AbortSignal): void | Promise<void>;
}

/**
 * A check that fails while one piece of work goes on for longer than so many milliseconds: a reconcile that
 * never ends. `inWork` says of each for how long it has been going on.
 */
export function createStuckWorkCheck(
  name: string,
  longest: number,
  inWork: () => Iterable<readonly [key: string, milliseconds: number]>,
): HealthCheck {
  return {
    name,
    check() {
      for (const [key, milliseconds] of inWork()) {
        if (milliseconds <= longest) continue;
        throw new Error(`${key} must end within ${longest} ms, got ${Math.round(milliseconds)} ms`);
      }
    },
  };
}
