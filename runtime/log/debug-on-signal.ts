import type { JsonLog } from './log.ts';

/** The source of signals: `process`. */
export interface SignalSource {
  on(signal: 'SIGUSR2', listener: () => void): unknown;
  removeListener(signal: 'SIGUSR2', listener: () => void): unknown;
}

/**
 * Turns the level `debug` on at SIGUSR2, and off at the next one: `kill -USR2 1` in the container. (SIGUSR1 starts
 * Node's debugger.) The returned function ends that.
 */
export function toggleDebugOnSignal(log: JsonLog, signals: SignalSource = process): () => void {
  let quiet = log.level;
  const toggle = (): void => {
    if (log.level !== 'debug') quiet = log.level;
    log.level = log.level === 'debug' ? quiet : 'debug';
    log.warn('the level of the log has changed', { to: log.level });
  };
  signals.on('SIGUSR2', toggle);
  return () => void signals.removeListener('SIGUSR2', toggle);
}
