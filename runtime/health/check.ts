/** A question to which "all is well" is an answer. */
export interface HealthCheck {
  /** A DNS label; in paths and answers. */
  readonly name: string;
  /**
   * Throws, or rejects, where it is not so, with a sentence that says why. The signal aborts when nobody
   * waits for the answer any more.
   */
  check(signal: AbortSignal): void | Promise<void>;
}

/** A check that holds once the promise has been fulfilled, and from then on. */
export function reached(name: string, promise: Promise<unknown>): HealthCheck {
  let problem: string | undefined = 'not yet';
  promise.then(
    () => (problem = undefined),
    (error: unknown) => (problem = String(error)),
  );
  return {
    name,
    check() {
      if (problem !== undefined) throw new Error(problem);
    },
  };
}

/**
 * A check that fails while one piece of work goes on for longer than so many milliseconds: a reconcile that
 * never ends. `inWork` says of each for how long it has been going on.
 */
export function ends(
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
