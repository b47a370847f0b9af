import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between two looks. */
const interval = 25;

/**
 * Asks again and again until the answer is neither undefined nor false, and returns it. Throws after
 * `seconds`, with the sentence `what` and, where the last try threw, its error as the cause.
 */
export async function until<T>(
  what: string,
  seconds: number,
  ask: () => T | Promise<T>,
): Promise<Exclude<T, undefined | false>> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    let cause: unknown;
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) {
        return answer as Exclude<T, undefined | false>;
      }
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`within ${seconds} s it must be so that ${what}`, { cause });
    }
    await pause(interval);
  }
}
