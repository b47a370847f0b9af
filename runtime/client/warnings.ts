import type { TransportObserver } from '../connection/transport.ts';
import type { Log } from '../log/log.ts';

/** Texts that are remembered; they may hold names of objects. */
const most = 1000;

/** Tells the log what the server warns of, each text once, and the observer everything. */
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
