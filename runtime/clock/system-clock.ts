import type { Clock } from './clock.ts';
import { createSleep } from './sleep.ts';

/** A timer of Node cannot wait for longer (2^31 - 1 ms, 24.8 days), and fires at once if asked to. */
const longest = 2_147_483_647;

/**
 * The machine's clock. Nothing runs early, not even by the fraction of a millisecond by which timers
 * of Node do; delays may be of any length. What waits keeps the process alive. A delay of 0 or less
 * lets everything else that is due go first, and input and output.
 */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  sleep: (milliseconds, signal) => sleep(milliseconds, signal),
  after,
};

const sleep = createSleep(after);

function after(milliseconds: number, run: () => void): () => void {
  if (milliseconds <= 0) {
    const immediate = setImmediate(run);
    return () => clearImmediate(immediate);
  }
  const due = performance.now() + milliseconds;
  let timer = setTimeout(look, Math.min(milliseconds, longest));
  function look(): void {
    const rest = due - performance.now();
    if (rest <= 0) run();
    else timer = setTimeout(look, Math.min(Math.ceil(rest), longest));
  }
  return () => clearTimeout(timer);
}
