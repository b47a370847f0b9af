import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import { formatSeen } from './shown.ts';

/** How long something is waited for. */
export interface UntilOptions {
  /**
   * Milliseconds of the machine's time after which it is given up.
   * @default 30,000, or what TENANTRY_WITHIN in the environment says
   */
  readonly within?: number | undefined;
  /** Milliseconds between two looks; 0 lets the event loop turn once. @default 25 */
  readonly every?: number | undefined;
  /**
   * What runs by this clock goes on meanwhile: by `step` milliseconds, after each look that was in vain.
   * @default - nothing does
   */
  readonly clock?: VirtualClock | undefined;
  /** @default - `every` */
  readonly step?: number | undefined;
}

/**
 * Asks again and again until there is an answer that is neither undefined, null nor false, and gives it.
 * Where it takes too long it throws, with the sentence, and with what was seen at last. An error of
 * `ask` is no answer yet; the last one is the `cause`.
 *
 * States that pass between two looks are not seen.
 *
 * @example
 * ```ts
 * import { VirtualClock, until } from 'tenantry/testing';
 *
 * const clock = new VirtualClock();
 * let state = 'Pending';
 * clock.after(60_000, () => (state = 'Ready'));
 *
 * // A minute passes in no time.
 * await until('it is ready', () => state === 'Ready', { clock, step: 10_000 });
 * console.log(clock.now()); // 60000
 * ```
 *
 * @param what completes "it must be so that ..."
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  options: UntilOptions = {},
): Promise<Exclude<T, undefined | null | false>> {
  return waitFor(what, async () => ({ seen: undefined, answer: await ask() }), options);
}

/** One look: its answer, and what was seen, for whoever waits in vain. */
export interface Observation<T> {
  readonly answer: T;
  readonly seen: unknown;
}

/** `until` with looks that see more than they answer. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<Observation<T>>,
  { within = readDefaultTimeout(), every = 25, clock, step = every }: UntilOptions,
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = performance.now() + within;
  for (;;) {
    let last = '';
    let cause: unknown;
    try {
      const { answer, seen } = await look();
      if (isAnswer(answer)) return answer;
      if (seen !== undefined) last = `; last seen:\n${formatSeen(seen)}`;
    } catch (error) {
      cause = error;
      last = `; the last look failed: ${error instanceof Error ? error.message : formatSeen(error)}`;
    }
    if (performance.now() > deadline) {
      const time = within < 1000 ? `${within} ms` : `${within / 1000} s`;
      throw new Error(`within ${time} it must be so that ${what}${last}`, { cause });
    }
    await clock?.advance(step);
    await (every === 0 ? turn() : pause(every));
  }
}

/** On a machine that is slow or busy all of a run can be more patient. */
function readDefaultTimeout(): number {
  const setting = process.env['TENANTRY_WITHIN'] ?? '30000';
  if (/^[1-9]\d*$/.test(setting)) return Number(setting);
  throw new Error(`TENANTRY_WITHIN must be milliseconds such as 120000, got '${setting}'`);
}

function isAnswer<T>(answer: T): answer is Exclude<T, undefined | null | false> {
  return answer !== undefined && answer !== null && answer !== false;
}
