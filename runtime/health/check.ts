/**
 * A problem whose message may be shown to everybody who can reach the port. It may name kinds and checks, but no
 * objects, addresses or credentials.
 */
export class PublicProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PublicProblem';
  }
}

/** A check that passes if all is well. */
export interface HealthCheck {
  /** A DNS label, used in paths and answers. */
  readonly name: string;
  /**
   * Throws or rejects if the check fails, with a sentence that explains why. `?verbose` shows only the message of a
   * `PublicProblem`; the log shows all. The signal aborts when the answer is no longer needed.
   */
  check(signal: AbortSignal): void | Promise<void>;
}

/**
 * Creates a check that fails while a piece of work takes longer than so many milliseconds: a reconcile that never ends.
 * `inWork` returns how long each one has taken so far.
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
