import type { WatchEvent, WatchOptions } from '@tenantry/runtime/client/client';
import type { ClientCallOptions } from '@tenantry/runtime/client/decorator';
import type { Kind, ObjectName } from '@tenantry/runtime/kinds/kind';
import type { WatchListener, ServerWatch } from './server-watch.ts';

/** A call, as the connection to the server sees it. */
export interface SentCall {
  readonly verb:
    'get' | 'list' | 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'deletecollection';
  readonly kind: Kind;
  /** Absent for a list, for a deletion of a collection, and where the server generates the name. */
  readonly name?: ObjectName | undefined;
  readonly subresource?: string | undefined;
}

export const isWrite = ({ verb }: SentCall): boolean => verb !== 'get' && verb !== 'list';

/** The connection between a client and the server. */
export interface Wire {
  /** Executes a call on the server, at most once, and returns the answer. */
  send<T>(call: SentCall, options: ClientCallOptions, ask: () => T): Promise<T>;
  /** Opens a watch on the server, and delivers its events. */
  watch<K extends Kind>(
    kind: K,
    options: WatchOptions,
    open: (hearer: WatchListener) => ServerWatch,
  ): AsyncIterable<WatchEvent<K>>;
}

/** A connection on which everything arrives at once. */
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

/** The events of a watch that its reader has not read yet. */
export class WatchQueue<K extends Kind> implements WatchListener {
  readonly #pending: (() => WatchEvent<K> | undefined)[] = [];
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => this.fail(this.#signal?.reason);
  #wake = (): void => undefined;

  /** Fails with the signal's reason when the signal aborts. */
  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    if (signal?.aborted) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Events on this queue are always of the kind of the watch. */
  event(event: WatchEvent<Kind>): void {
    this.#push(() => event as WatchEvent<K>);
  }

  end(): void {
    this.#push(() => undefined);
  }

  fail(error: unknown): void {
    this.#push(() => {
      throw error;
    });
  }

  close(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  async *events(): AsyncGenerator<WatchEvent<K>, void, undefined> {
    for (;;) {
      const next = this.#pending.shift();
      if (next) {
        const event = next();
        if (!event) return;
        yield event;
      } else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #push(next: () => WatchEvent<K> | undefined): void {
    this.#pending.push(next);
    this.#wake();
  }
}
