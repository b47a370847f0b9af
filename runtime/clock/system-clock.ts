import type { Clock } from './clock.ts';
import { createSleep } from './sleep.ts';

/** The longest delay of a Node timer (2^31 - 1 ms, 24.8 days). A longer one would fire at once. */
const longest = 2_147_483_647;

/**
 * The machine's clock. Unlike Node's timers, it never fires early, not even by a fraction of a millisecond, and delays
 * may have any length. Timers keep the process alive. A delay of 0 or less first lets everything else run that is due,
 * including I/O.
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
