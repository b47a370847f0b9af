import type { JsonLog } from './log.ts';

/** What gives signals: `process`. */
export interface SignalSource {
  on(signal: 'SIGUSR2', listener: () => void): unknown;
  removeListener(signal: 'SIGUSR2', listener: () => void): unknown;
}

/**
 * SIGUSR2 turns `debug` on, and the next one gives the log its level back: `kill -USR2 1` in the container.
 * (SIGUSR1 starts Node's debugger.) What it returns ends that.
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
