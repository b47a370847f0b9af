import type { Clock } from './clock.ts';

/** Creates the `sleep` of a clock from its timers. */
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
