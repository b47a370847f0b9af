import { inspect } from 'node:util';
import type { Context } from '@tenantry/runtime/controller/context';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import type { Log } from '@tenantry/runtime/log/log';

type Hear = (text: string) => void;
type Turn = Controller['reconcile'];

/** Returns the same controller, and passes all of its log lines and errors to `hear`, whatever the level. */
export function observeController(one: Controller, hear: Hear): Controller {
  const observeTurn =
    (turn: Turn): Turn =>
    async (context: Context) => {
      try {
        return await turn({ ...context, log: observeLog(context.log, hear) });
      } catch (error) {
        hear(inspect(error, { depth: null }));
        throw error;
      }
    };
  const { finalizer } = one;
  return {
    ...one,
    reconcile: observeTurn((context) => one.reconcile(context)),
    ...(finalizer && {
      finalizer: { ...finalizer, cleanUp: observeTurn((context) => finalizer.cleanUp(context)) },
    }),
  };
}

function observeLog(log: Log, hear: Hear): Log {
  const observeLevel =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (sentence, fields) => {
      hear(`${sentence} ${inspect(fields, { depth: null })}`);
      log[level](sentence, fields);
    };
  return {
    debug: observeLevel('debug'),
    info: observeLevel('info'),
    warn: observeLevel('warn'),
    error: observeLevel('error'),
    with: (fields) => observeLog(log.with(fields), hear),
  };
}
