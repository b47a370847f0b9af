import type { Clock } from './clock.ts';

/** What sleeping means, by the timers of a clock. */
export function createSleep(after: Clock['after']): Clock['sleep'] {
  return (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const wake = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = after(milliseconds, wake);
      signal?.addEventListener('abort', stop, { once: true });
    });
}
