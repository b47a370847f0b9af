import type { WatchEvent, WatchOptions } from '../../../runtime/client/client.ts';
import type { ClientCallOptions } from '../../../runtime/client/decorator.ts';
import type { Kind, ObjectName } from '../../../runtime/kinds/kind.ts';
import type { WatchListener, ServerWatch } from './server-watch.ts';
import { WatchQueue } from './watch-queue.ts';

/** A call, for who brings it to the server. */
export interface SentCall {
  readonly verb:
    'get' | 'list' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';
  readonly kind: Kind;
  /** Absent of a list, of all, and of what gets its name from the server. */
  readonly name?: ObjectName | undefined;
  readonly subresource?: string | undefined;
}

export const isWrite = ({ verb }: SentCall): boolean => verb !== 'get' && verb !== 'list';

/** What lies between a client and the server. */
export interface Wire {
  /** Has the server do what is asked, once at most, and brings the answer back. */
  send<T>(call: SentCall, options: ClientCallOptions, ask: () => T): Promise<T>;
  /** Opens a watch on the server, and brings what it tells. */
  watch<K extends Kind>(
    kind: K,
    options: WatchOptions,
    open: (hearer: WatchListener) => ServerWatch,
  ): AsyncIterable<WatchEvent<K>>;
}

/** Everything arrives at once. */
export const directWire: Wire = {
  send: async (_, { signal, permit }, ask) => {
    signal?.throwIfAborted();
    permit?.();
    return ask();
  },
  async *watch<K extends Kind>(
    _kind: K,
    { signal }: WatchOptions,
    open: (hearer: WatchListener) => ServerWatch,
  ) {
    signal?.throwIfAborted();
    const queue = new WatchQueue<K>(signal);
    const watch = open(queue);
    try {
      yield* queue.events();
    } finally {
      watch.close();
      queue.close();
    }
  },
};
