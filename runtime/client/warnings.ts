import type { TransportObserver } from '../connection/transport.ts';
import type { Log } from '../log/log.ts';

/** The most texts that are remembered; they may contain names of objects. */
const most = 1000;

/** Logs each distinct warning of the server once, and passes all of them to the observer. */
export function logWarningsOnce(log: Log, observer: TransportObserver = {}): TransportObserver {
  const logged = new Set<string>();
  return {
    requested: (request) => observer.requested?.(request),
    warned: (warning, request) => {
      observer.warned?.(warning, request);
      if (logged.has(warning)) return;
      const [oldest] = logged;
      if (logged.size >= most && oldest !== undefined) logged.delete(oldest);
      logged.add(warning);
      log.warn('the API server warns', { warning, request });
    },
  };
}
