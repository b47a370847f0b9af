import { inspect } from 'node:util';
import type { Context } from '../../../../runtime/controller/context.ts';
import type { Controller } from '../../../../runtime/controller/declaration.ts';
import type { Log } from '../../../../runtime/log/log.ts';

type Hear = (text: string) => void;
type Turn = Controller['reconcile'];

/** The same controller; all that it logs, whatever the level, and all that it throws is heard. */
export function overheard(one: Controller, hear: Hear): Controller {
  const heard =
    (turn: Turn): Turn =>
    async (context: Context) => {
      try {
        return await turn({ ...context, log: heardLog(context.log, hear) });
      } catch (error) {
        hear(inspect(error, { depth: null }));
        throw error;
      }
    };
  const { finalizer } = one;
  return {
    ...one,
    reconcile: heard((context) => one.reconcile(context)),
    ...(finalizer && {
      finalizer: { ...finalizer, cleanUp: heard((context) => finalizer.cleanUp(context)) },
    }),
  };
}

function heardLog(log: Log, hear: Hear): Log {
  const said =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (sentence, fields) => {
      hear(`${sentence} ${inspect(fields, { depth: null })}`);
      log[level](sentence, fields);
    };
  return {
    debug: said('debug'),
    info: said('info'),
    warn: said('warn'),
    error: said('error'),
    with: (fields) => heardLog(log.with(fields), hear),
  };
}
